import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigObject } from '@ithings/contract/features/plans.ts'
import { expect, onTestFinished, test } from 'vitest'
import { escapePlaceholders, filesOf, loadObjects, objectsText, readObjects, writeObjects } from './config-files.ts'
import { describeChanges } from './diff.ts'
import { makePlace } from './testing/place.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'ithings-cli-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
const script: ConfigObject = {
  kind: 'script',
  name: 'p1',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a script has its own
  spec: { transformScript: 'function up(a) {\n  return `${MAX} ${a}`\n}\n' },
}
const channel = (url: string): ConfigObject => ({ kind: 'channel', name: '值班/夜', spec: { url } })

test('a script is a block of its lines, and comes back as it was', () => {
  const text = objectsText([script, channel('https://x')], false)
  expect(text).toContain('transformScript: |\n    function up(a) {\n')
  expect(readObjects(text, 'f', {})).toEqual([script, channel('https://x')])
  expect(readObjects(objectsText([script], true), 'f', {})).toEqual([script])
})

test('variables of the environment fill in secrets, but not the placeholders of scripts', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what is tested
  const [url, literal] = ['https://x/${TOKEN}', 'https://x/$${TOKEN}']
  expect(readObjects(objectsText([channel(url)], false), 'f', { TOKEN: 's' })).toEqual([channel('https://x/s')])
  expect(() => readObjects(objectsText([channel(url)], false), 'a.yaml', {})).toThrow(
    /^a\.yaml：channel\/值班\/夜 需要环境变量 TOKEN，它没有设置/,
  )
  expect(escapePlaceholders(channel(url))).toEqual(channel(literal))
  expect(readObjects(objectsText([channel(literal)], false), 'f', {})).toEqual([channel(url)])
  expect(escapePlaceholders(script)).toEqual(script)
})

test.each([
  ['not YAML', 'a: [', /^f 不是 YAML：/],
  ['another kind', 'kind: lamp\nname: a\nspec: {}', /^f 第 1 个文档：kind 只能是 product/],
  ['no name', '---\nkind: role\nname: a\nspec: {}\n---\nkind: role\nspec: {}', /^f 第 2 个文档：name 不能为空/],
])('%s is told with its file and document', (_name, text, fault) => {
  expect(() => readObjects(text, 'f', {})).toThrow(fault)
})

test('a folder has one file an object, with names that every system allows', async () => {
  const path = await folder()
  const objects = [
    script,
    channel('https://x'),
    { kind: 'role', name: 'A', spec: {} },
    { kind: 'role', name: 'a', spec: {} },
  ] as ConfigObject[]
  expect([...filesOf(objects).keys()]).toEqual([
    'script/p1.yaml',
    'channel/值班%2f夜.yaml',
    'role/A.yaml',
    'role/a-2.yaml',
  ])
  await writeObjects(path, objects)
  expect(await loadObjects(makePlace().place, [path])).toHaveLength(4)
  // What is gone from the platform is told, not deleted.
  expect(await writeObjects(path, objects.slice(1))).toEqual([join(path, 'script/p1.yaml')])
  await writeFile(join(path, 'twice.yaml'), await readFile(join(path, 'role/A.yaml')))
  await expect(loadObjects(makePlace().place, [path])).rejects.toThrow(/role\/A 有两次/)
  await expect(loadObjects(makePlace().place, [join(path, 'none')])).rejects.toThrow(/没有文件或文件夹/)
  await writeObjects(join(path, 'all.json'), objects)
  expect(JSON.parse(await readFile(join(path, 'all.json'), 'utf8'))).toEqual(objects)
  expect(await readdir(path)).toContain('script')
})

test('a difference is shown by object, with what cannot be applied; colours only where they are wanted', () => {
  const long = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, i]))
  const changes = [
    { kind: 'role', name: 'a', act: 1, after: { remark: 'x' }, problem: '' },
    { kind: 'product', name: 'p', act: 2, before: long, after: { ...long, f10: 'n' }, problem: '不能改' },
    { kind: 'scene', name: 's', act: 3, before: {}, problem: '' },
  ] as const
  expect(describeChanges(changes, false)).toEqual([
    '+ 角色 role/a',
    '    + remark: x',
    '~ 产品 product/p',
    '    ⋯',
    '      f8: 8',
    '      f9: 9',
    '    - f10: 10',
    '    + f10: n',
    '      f11: 11',
    '      f12: 12',
    '    ⋯',
    '    ! 不能改',
    '- 场景联动 scene/s',
    '新增 1，修改 1，删除 1',
  ])
  expect(describeChanges(changes, true)[0]).toBe('\u001b[32m+ 角色 role/a\u001b[0m')
})
