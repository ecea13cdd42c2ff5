import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readTexts } from './text-reader.mjs'
import { checkTexts, settleTexts } from './texts.mjs'

const keysOf = (source: string) => readTexts('apps/console/src/kit/one.tsx', source).keys
const faultsOf = (source: string) => readTexts('apps/console/src/kit/one.tsx', source).faults

test('what goes through t or phrase, and constants of a module, are texts', () => {
  expect(keysOf("const f = () => t('共 {count} 台', { count })")).toEqual(['共 {count} 台'])
  expect(keysOf("const f = () => { throw new AppError(e, { detail: phrase('没有产品') }) }")).toEqual(['没有产品'])
  expect(keysOf("const f = () => { throw refusal(e, '没有 {id}', { id: phrase('产品') }) }")).toEqual([
    '没有 {id}',
    '产品',
  ])
  expect(keysOf("const f = () => { throw badField('name', many ? '没有产品' : '没有设备') }")).toHaveLength(2)
  expect(keysOf("export const columns = [{ key: 'a', title: '状态' }]")).toEqual(['状态'])
})

test.each([
  ['an attribute', "const One = () => <b title='状态' />"],
  ['the content of an element', 'const One = () => <b>状态</b>'],
  ['a sentence put together', 'const f = (n: number) => `共 @{n} 台`'.replace('@', '$')],
  ['a template of a module', 'export const hint = `最多 @{most} 个`'.replace('@', '$')],
  ['a comparison with what is shown', "const f = (text: string) => text === '提交'"],
  ['a number as the browser has it', 'const f = (n?: number) => n?.toLocaleString()'],
  ['a moment as the browser has it', 'const f = (at: Date) => at.toLocaleTimeString(undefined, { hour12: false })'],
])('Chinese that bypasses t is found: %s', (_, source) => {
  expect(faultsOf(source)).toHaveLength(1)
})

test('what is no text for people is left alone', () => {
  expect(faultsOf("// not a text: what people write\nconst f = (text: string) => text.includes('泵')")).toEqual([])
  expect(faultsOf('// 注释\nconst f = () => /泵/')).toEqual([])
  expect(faultsOf("const f = (n: number) => n.toLocaleString('en-US')")).toEqual([])
})

/** A product of few files; the start shows a list, which shows a drawer when somebody wants it. */
const small = {
  'apps/console/src/app/main.tsx':
    "import './routes.tsx'\nstartLanguage(['app'])\nwithTexts('frame', import('./shell/shell.tsx'))\nexport const f = () => t('开始')",
  'apps/console/src/app/routes.tsx': "withTexts('jobs', import('#features/jobs/list.ts'))",
  'apps/console/src/app/en.json': '{ "开始": "Start" }',
  'apps/console/src/app/shell/shell.tsx': "import '#kit/one.ts'",
  'apps/console/src/language/shelves/frame.ts':
    "import contract from '@ithings/contract/en.json'\nimport kit from '#kit/en.json'\nexport const texts = [kit, contract]",
  'apps/console/src/language/shelves/later.ts':
    "import contract from '@ithings/contract/en-later.json'\nimport kit from '#kit/en-later.json'\nexport const texts = [kit, contract]",
  'apps/console/src/kit/one.ts': "export const f = () => t('保存')",
  'apps/console/src/kit/en.json': '{ "保存": "Save" }',
  'apps/console/src/kit/cron.ts':
    "import type { Rule } from '@ithings/contract/rule.ts'\nexport const f = () => t('每天')",
  'apps/console/src/kit/en-later.json': '{ "每天": "Every day" }',
  'apps/console/src/features/jobs/list.ts':
    "import '#kit/one.ts'\nwithTexts('later', import('./drawer.ts'))\nexport const g = () => t('{count} 台', { count })",
  'apps/console/src/features/jobs/drawer.ts': "import '#kit/cron.ts'",
  'apps/console/src/features/jobs/en.json': '{ "{count} 台": "{count} devices", "{count} 台_one": "1 device" }',
  'apps/console/src/blocks/en.json': '{}',
  'packages/contract/src/rule.ts': "export const labels = { 1: '规则' }",
  'packages/contract/src/en.json': '{}',
  'packages/contract/src/en-later.json': '{ "规则": "Rule" }',
  'apps/server/src/one.ts': '',
  'apps/server/src/en.json': '{}',
  'packages/contract/src/en-names.json': '{ "设备列表": "List devices" }',
  'packages/contract/src/devices.ts': "export const list = query('/api/v1/devices', '设备列表')",
  'apps/cli/src/main.ts': "const f = () => say(t('没有登录'))",
  'apps/cli/src/en.json': '{ "没有登录": "Not signed in" }',
  'apps/simulator/src/main.ts': "const f = () => say(t('没有设备'))",
  'apps/simulator/src/device-words.ts': "export const words = { zh: '下载中', en: 'Downloading' }",
  'apps/simulator/src/thing.ts': "const f = () => t('设备故障')",
  'apps/simulator/src/en.json': '{ "没有设备": "No devices", "设备故障": "Device is out of order" }',
  'apps/console/index.html':
    '<!-- 注释 -->\n<!-- In both languages: not a text. -->\n<noscript>请启用 JavaScript. Turn on JavaScript.</noscript>',
  'apps/console/public/manifest.webmanifest': '{ "name": "iThings Core" }',
  'apps/console/src/kit/one.css':
    "/* 注释 */\ndt::after { content: '：'; } /* not a text */\ntd::before { content: attr(data-label) }",
}

async function write(changes: Record<string, string> = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'ithings-texts-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries({ ...small, ...changes })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

const check = async (changes: Record<string, string>) => {
  const { faults, missing, unused } = checkTexts(await write(changes))
  return [...faults, ...unused, ...[...missing].flatMap(([room, keys]) => keys.map((key) => `${room}: ${key}`))]
}

const page = 'apps/console/src'

test('texts that are in order are left alone', async () => {
  expect(await check({})).toEqual([])
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a text without a translation',
    { [`${page}/features/jobs/drawer.ts`]: "import '#kit/cron.ts'\nexport const g = () => t('取消')" },
    /^apps\/console\/src\/features\/jobs: 取消$/,
  ],
  ['a text of the command line', { 'apps/cli/src/en.json': '{}' }, /^apps\/cli\/src: 没有登录$/],
  [
    'a name of an endpoint that only the server knows',
    { 'packages/contract/src/en-names.json': '{}', 'apps/server/src/en.json': '{ "设备列表": "List devices" }' },
    /^apps\/cli\/src: 设备列表$/,
  ],
  [
    'a text of the simulator',
    { 'apps/simulator/src/en.json': '{ "设备故障": "Broken" }' },
    /^apps\/simulator\/src: 没有设备$/,
  ],
  [
    'a sentence of a virtual device',
    { 'apps/simulator/src/thing.ts': "const f = () => '设备故障'" },
    /^apps\/simulator\/src\/thing\.ts:1 is not in any language but Chinese/,
  ],
  [
    'a style with words',
    { 'apps/console/src/kit/one.css': "/* 一 */\ntd::before {\n  content: '创建时间';\n}" },
    /^apps\/console\/src\/kit\/one\.css:3 is in Chinese whatever/,
  ],
  ['a page with words', { 'apps/console/index.html': '<p>请启用</p>' }, /^apps\/console\/index\.html:1 is in Chinese/],
  [
    'a manifest with words',
    { 'apps/console/public/manifest.webmanifest': '{\n  "name": "管理控制台"\n}' },
    /manifest\.webmanifest:2 is in Chinese/,
  ],
  [
    'a translation that nothing shows',
    { [`${page}/app/en.json`]: '{ "开始": "Start", "旧": "Old" }' },
    /en\.json: 旧$/,
  ],
  [
    'two translations of one text',
    {
      [`${page}/features/jobs/drawer.ts`]: "import '#kit/cron.ts'\nexport const g = () => t('规则')",
      [`${page}/features/jobs/en.json`]: '{ "{count} 台": "{count} devices", "规则": "Norm" }',
    },
    /规则 is/,
  ],
  [
    'a text whose catalogue comes with somebody else',
    { [`${page}/features/jobs/list.ts`]: "import './drawer.ts'\nexport const g = () => t('{count} 台', { count })" },
    /list\.ts shows "每天" of .*cron\.ts, and nothing fetches .*kit\/en-later\.json for it$/,
  ],
  [
    'a drawer that one of two ways leads to without its texts',
    { [`${page}/app/shell/shell.tsx`]: "import '#kit/one.ts'\nimport('#features/jobs/drawer.ts')" },
    /drawer\.ts shows "每天"/,
  ],
  [
    'a text that is there already',
    { [`${page}/features/jobs/en.json`]: '{ "{count} 台": "{count} devices", "开始": "Start" }' },
    /jobs\/en\.json: 开始 is in .*app\/en\.json, too/,
  ],
  [
    'a text that is fetched before anybody shows it',
    { [`${page}/kit/en.json`]: '{ "保存": "Save", "每天": "Every day" }' },
    /kit\/en\.json: 每天 is fetched too early/,
  ],
])('%s is found', async (_, changes, fault) => {
  const found = await check(changes)
  expect(found.filter((one) => fault.test(one))).toHaveLength(1)
})

test('texts of shared rooms are put where they come in time and not too early, and nowhere twice', async () => {
  const root = await write({
    [`${page}/kit/en.json`]: '{ "每天": "Every day", "开始": "Start" }',
    [`${page}/kit/en-later.json`]: '{ "保存": "Save", "每天": "Every day" }',
  })
  settleTexts(root)
  const { faults, unused } = checkTexts(root)
  expect([...faults, ...unused]).toEqual([])
  expect(JSON.parse(await readFile(join(root, page, 'kit/en.json'), 'utf8'))).toEqual({ 保存: 'Save' })
  expect(JSON.parse(await readFile(join(root, page, 'kit/en-later.json'), 'utf8'))).toEqual({ 每天: 'Every day' })
})
