import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { loadRefusal } from './load-check.mjs'
import { step } from './step.mjs'
import { chinese, say, speakChinese } from './words.mjs'

afterEach(() => {
  speakChinese(false)
  vi.restoreAllMocks()
})

const linesOf = async (title: string, work: () => Promise<void>) => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await step(title, work).catch(() => undefined)
  return write.mock.calls.map(([text]) => String(text).replace(/\d+ s/, 'N s'))
}
const fails = () => Promise.reject(new Error('x'))

test('a step is said in English, and in Chinese where the terminal is Chinese', async () => {
  expect(await linesOf('Building the console', async () => {})).toEqual([
    'Building the console ...\n',
    'Building the console: N s\n',
  ])
  vi.restoreAllMocks()
  speakChinese(true)
  expect(await linesOf('Building the console', fails)).toEqual(['构建控制台 ...\n', '构建控制台：失败，用时 N s\n'])
})

test('a step of developers stays English as a whole', async () => {
  speakChinese(true)
  expect(await linesOf('Unit tests', fails)).toEqual(['Unit tests ...\n', 'Unit tests: failed after N s\n'])
})

test('a part that cannot be loaded is told in Chinese, with what to do', () => {
  speakChinese(true)
  const said = `Error: Cannot find module '@rolldown/binding-linux-x64-gnu'`
  expect(loadRefusal('the bundler (vite, rolldown)', said, { name: 'linux-x64', libc: 'glibc' })).toBe(
    '在 linux-x64 (glibc) 上无法加载打包工具（vite, rolldown）：缺少它的部件 @rolldown/binding-linux-x64-gnu。\n' +
      '请删除 node_modules 文件夹，再运行同一命令；若仍不行，见 README.zh-CN.md。',
  )
})

test('what stands in a text is not looked into', () => {
  expect(say('its part {part} is missing', { part: '$&{part}' })).toBe('its part $&{part} is missing')
})

test('every text of the table is one that the scripts say, with the same values in both languages', () => {
  const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
  const files = ['build-console', 'install', 'load-check', 'platform', 'psql', 'setup', 'step']
  const sources = files.map((name) => readFileSync(join(import.meta.dirname, `${name}.mjs`), 'utf8')).join('\n')
  for (const [english, text] of Object.entries(chinese)) {
    expect(sources).toContain(`'${english.replaceAll('\n', '\\n')}'`)
    expect(places(text)).toEqual(places(english))
  }
})
