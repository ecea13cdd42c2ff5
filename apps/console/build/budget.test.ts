import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { checkBudgets, scriptsOf } from './budget.ts'
import { compressAssets } from './compress.ts'
import { emptied } from './without-unused.ts'

/** A page of two files: the second is loaded later and is too large to be sent as it is. */
async function site(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'budget-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await writeFile(join(root, 'index.html'), '<script type="module" src="./main.js"></script>')
  await writeFile(join(root, 'main.js'), "import('./later.js').then((later) => console.log(later.text))")
  await writeFile(join(root, 'later.js'), `export const text = ${JSON.stringify('words '.repeat(1000))}`)
  return root
}

async function buildSite(limit: number, more: Plugin[] = [], files = 2): Promise<string> {
  const root = await site()
  const modules = ['index.html', 'later.js']
  const every = { modules: [], limit, files }
  const plugins = [...more, compressAssets(), checkBudgets([{ page: 'the page', modules, limit, files }], every)]
  await build({ root, configFile: false, logLevel: 'silent', plugins })
  return join(root, 'dist')
}

test('a page that fits is weighed by what the server sends', async () => {
  const dist = await buildSite(10_000)
  const [page] = JSON.parse(await readFile(join(dist, 'script-sizes.json'), 'utf8'))
  expect(page.files).toHaveLength(2)
  const sizes = await Promise.all(page.files.map(async (file: string) => (await stat(join(dist, `${file}.br`))).size))
  const sent = sizes.reduce((sum, size) => sum + size, 0)
  expect(page).toMatchObject({ page: 'the page', limit: 10, kilobytes: sent / 1000 })
  expect(sent).toBeLessThan(3000)
})

test('a page that grew too heavy fails the build and names its files', async () => {
  await expect(buildSite(100)).rejects.toThrow(
    /over budget, the page: .* limit 0\.1 KB in 2\n {2}\d\.\d KB assets\/\S+\.js/,
  )
})

test('a page of too many files fails the build', async () => {
  await expect(buildSite(10_000, [], 1)).rejects.toThrow(/over budget, the page: .* in 2 files, limit 10\.0 KB in 1\n/)
})

test.each<[string, Plugin]>([
  ['while modules are read', { name: 'breaks', transform: () => Promise.reject(new Error('the true reason')) }],
  ['while files are made', { name: 'breaks', generateBundle: () => Promise.reject(new Error('the true reason')) }],
  ['while files are written', { name: 'breaks', renderChunk: () => Promise.reject(new Error('the true reason')) }],
])('a build that fails %s tells why, not that there is nothing to weigh', async (_, breaks) => {
  const failure = await buildSite(10_000, [breaks]).catch((error: Error) => error.message)
  expect(failure).toContain('the true reason')
  expect(failure).not.toMatch(/ithings:/)
})

test('a budget for a module that is not built says so', () => {
  expect(() => scriptsOf([], ['gone.tsx'])).toThrow('gone.tsx is not in the build')
})

test('a part that is left out keeps every export', () => {
  const kept = emptied('export const a = 1\nexport function createB() {}\nconst own = 2\nexport default own\n')
  expect(kept).toContain('export const a = absent')
  expect(kept).toContain('export const createB = later')
  expect(kept).toContain('export default absent')
  expect(kept).not.toContain('own')
})
