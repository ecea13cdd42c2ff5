import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkTexts, readTexts } from './texts.mjs'

const keysOf = (source: string) => readTexts('apps/console/src/kit/one.tsx', source).keys
const faultsOf = (source: string) => readTexts('apps/console/src/kit/one.tsx', source).faults

test('what goes through t or phrase, and constants of a module, are texts', () => {
  expect(keysOf("const f = () => t('共 {count} 台', { count })")).toEqual(['共 {count} 台'])
  expect(keysOf("const f = () => { throw new AppError(e, { detail: phrase('没有产品') }) }")).toEqual(['没有产品'])
  expect(keysOf("export const columns = [{ key: 'a', title: '状态' }]")).toEqual(['状态'])
})

test.each([
  ['an attribute', "const One = () => <b title='状态' />"],
  ['the content of an element', 'const One = () => <b>状态</b>'],
  ['a sentence put together', 'const f = (n: number) => `共 @{n} 台`'.replace('@', '$')],
  ['a template of a module', 'export const hint = `最多 @{most} 个`'.replace('@', '$')],
  ['a comparison with what is shown', "const f = (text: string) => text === '提交'"],
])('Chinese that bypasses t is found: %s', (_, source) => {
  expect(faultsOf(source)).toHaveLength(1)
})

test('what is no text for people is left alone', () => {
  expect(faultsOf("// not a text: what people write\nconst f = (text: string) => text.includes('泵')")).toEqual([])
  expect(faultsOf('// 注释\nconst f = () => /泵/')).toEqual([])
})

test('a text without a translation, a translation that nothing shows, and two for one text are found', async () => {
  const root = await mkdtemp(join(tmpdir(), 'ithings-texts-'))
  const files = {
    'apps/console/src/kit/one.ts': "export const f = () => t('保存')",
    'apps/console/src/kit/en.json': '{ "保存": "Save", "旧": "Old" }',
    'apps/console/src/features/jobs/two.ts':
      "export const g = () => [t('保存'), t('取消'), t('{count} 台', { count })]",
    'apps/console/src/features/jobs/en.json':
      '{ "保存": "Keep", "{count} 台": "{count} devices", "{count} 台_one": "1 device" }',
    'packages/contract/src/one.ts': '',
    'apps/server/src/one.ts': '',
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const { faults, missing, unused } = checkTexts(root)
  expect(Object.fromEntries(missing)).toMatchObject({ 'apps/console/src/features/jobs': ['取消'] })
  expect(unused).toEqual(['apps/console/src/kit/en.json: 旧'])
  expect(faults).toEqual([expect.stringContaining('保存 is')])
})
