/** Fails the build when a page needs too much: the script a browser must load, as the server sends it (brotli), and its files. */
import { stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin, ResolvedConfig, Rolldown } from 'vite'

/** A script, the scripts that it imports, and the modules in it, as the sources name them. */
export interface Script {
  file: string
  imports: readonly string[]
  modules: readonly string[]
}

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
export function scriptsOf(scripts: readonly Script[], modules: readonly string[]): Set<string> {
  const files = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    scripts.find((one) => one.file === file)?.imports.forEach(visit)
  }
  for (const module of modules) {
    const script = scripts.find((one) => one.modules.includes(module))
    if (!script) throw new Error(`${module} is not in the build: the budget names a module that does not exist`)
    visit(script.file)
  }
  return files
}

const scriptOf = (root: string, { fileName, imports, moduleIds, facadeModuleId }: Rolldown.OutputChunk): Script => ({
  file: fileName,
  imports,
  modules: [...moduleIds, facadeModuleId ?? ''].map((id) => relative(root, id).replaceAll('\\', '/')),
})

/** The compressed copy beside the file (compress.ts); small files have none and are sent as they are. */
async function sentSize(path: string): Promise<number> {
  const size = async (file: string) => (await stat(file)).size
  return size(`${path}.br`).catch(() => size(path))
}

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`

async function measure(out: string, { page, modules, limit, ...most }: Budget, scripts: readonly Script[]) {
  const files = [...scriptsOf(scripts, modules)]
  const sizes = await Promise.all(files.map(async (file) => ({ file, size: await sentSize(join(out, file)) })))
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  const text = `${page}: ${kb(total)} of script (brotli) in ${files.length} files, limit ${kb(limit)} in ${most.files}`
  const heaviest = sizes.toSorted((a, b) => b.size - a.size).slice(0, 10)
  const list = heaviest.map(({ file, size }) => `  ${kb(size)} ${file}`).join('\n')
  const measured: PageSize = { page, kilobytes: total / 1000, limit: limit / 1000, files }
  return { fits: total <= limit && files.length <= most.files, text, list, measured }
}

/** A page of each screen that has no budget of its own. */
const screensOf = (scripts: readonly Script[], own: readonly Budget[], { modules, ...every }: Omit<Budget, 'page'>) =>
  scripts
    .flatMap((script) => script.modules)
    .filter((module) => /^src\/features\/[^/]+\/screens\/.*\.tsx$/.test(module))
    .filter((module) => !own.some((budget) => budget.modules.includes(module)))
    .map((module): Budget => ({ ...every, page: module, modules: [...modules, module] }))

/** `every` holds for all screens: what comes with each of them, and its limits. */
export function checkBudgets(budgets: readonly Budget[], every: Omit<Budget, 'page'>): Plugin {
  let config: ResolvedConfig
  let scripts: Script[] | undefined
  return {
    name: 'ithings:budget',
    apply: 'build',
    // After the compressed copies.
    enforce: 'post',
    configResolved(resolved) {
      config = resolved
    },
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      scripts = chunks.map((chunk) => scriptOf(config.root, chunk))
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler(error) {
        // A build that failed comes here too, with nothing to weigh: what it failed of is told by whoever found it.
        if (error || !scripts) return
        const out = join(config.root, config.build.outDir)
        const measured: PageSize[] = []
        const over: string[] = []
        for (const budget of [...budgets, ...screensOf(scripts, budgets, every)]) {
          const page = await measure(out, budget, scripts)
          if (!page.fits) over.push(`over budget, ${page.text}\n${page.list}`)
          if (budgets.includes(budget)) config.logger.info(page.text)
          measured.push(page.measured)
        }
        if (over.length > 0) this.error(over.join('\n'))
        // Read by `npm run bench` and by the walk that weighs what the browser fetches.
        await writeFile(join(out, 'script-sizes.json'), JSON.stringify(measured))
      },
    },
  }
}
