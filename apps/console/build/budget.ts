/** Fails the build when a page needs too much: the script a browser must load, as the server sends it (brotli), and its files. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, ResolvedConfig } from 'vite'

export interface ManifestChunk {
  file: string
  imports?: string[]
}
export type Manifest = Record<string, ManifestChunk>

export interface Budget {
  page: string
  /** Modules the page loads: the entry and each lazily loaded part. */
  modules: readonly string[]
  limit: number
  /** How many scripts: each is a request. */
  files: number
  /** How often it is loaded compared to other screens, for few-files.ts. */
  times?: number
}

interface PageSize {
  page: string
  kilobytes: number
  limit: number
  /** A walk compares them with what the browser fetched. */
  files: string[]
}

/** Every script file behind the modules by static imports; lazy parts count only when they are named. */
export function scriptsOf(manifest: Manifest, modules: readonly string[]): Set<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`${key} is not in the build manifest: the budget names a module that does not exist`)
    if (chunk.file.endsWith('.js')) files.add(chunk.file)
    for (const below of chunk.imports ?? []) visit(below)
  }
  for (const key of modules) visit(key)
  return files
}

/** The compressed copy beside the file (compress.ts); small files have none and are sent as they are. */
async function sentSize(path: string): Promise<number> {
  const size = async (file: string) => (await stat(file)).size
  return size(`${path}.br`).catch(() => size(path))
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`

async function measure(out: string, { page, modules, limit, ...most }: Budget, manifest: Manifest) {
  const files = [...scriptsOf(manifest, modules)]
  const sizes = await Promise.all(files.map(async (file) => ({ file, size: await sentSize(join(out, file)) })))
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  const text = `${page}: ${kb(total)} of script (brotli) in ${files.length} files, limit ${kb(limit)} in ${most.files}`
  const heaviest = sizes.toSorted((a, b) => b.size - a.size).slice(0, 10)
  const list = heaviest.map(({ file, size }) => `  ${kb(size)} ${file}`).join('\n')
  const measured: PageSize = { page, kilobytes: total / 1000, limit: limit / 1000, files }
  return { fits: total <= limit && files.length <= most.files, text, list, measured }
}

/** A page of each screen that stands in a file of its own and has no budget of its own. */
const screensOf = (manifest: Manifest, own: readonly Budget[], { modules, ...every }: Omit<Budget, 'page'>): Budget[] =>
  Object.keys(manifest)
    .filter((module) => /^src\/features\/[^/]+\/screens\//.test(module))
    .filter((module) => !own.some((budget) => budget.modules.includes(module)))
    .map((module) => ({ ...every, page: module, modules: [...modules, module] }))

/** `every` holds for all screens: what comes with each of them, and its limits. */
export function checkBudgets(budgets: readonly Budget[], every: Omit<Budget, 'page'>): Plugin {
  let config: ResolvedConfig
  let written = false
  return {
    name: 'ithings:budget',
    apply: 'build',
    // After the compressed copies.
    enforce: 'post',
    configResolved(resolved) {
      config = resolved
    },
    writeBundle() {
      written = true
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(error) {
        // A build that failed comes here too, with nothing to weigh: what it failed of is told by whoever found it.
        if (error || !written) return
        const out = join(config.root, config.build.outDir)
        const manifest = JSON.parse(await readFile(join(out, '.vite/manifest.json'), 'utf8')) as Manifest
        const measured: PageSize[] = []
        for (const budget of [...budgets, ...screensOf(manifest, budgets, every)]) {
          const page = await measure(out, budget, manifest)
          if (!page.fits) this.error(`over budget, ${page.text}\n${page.list}`)
          if (budgets.includes(budget)) config.logger.info(page.text)
          measured.push(page.measured)
        }
        // Read by `npm run bench` and by the walk that weighs what the browser fetches.
        await writeFile(join(out, 'script-sizes.json'), JSON.stringify(measured))
      },
    },
  }
}
