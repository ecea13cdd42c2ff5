/** Fails the build when a page grew too heavy: the script a browser must load, compressed with brotli. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin, ResolvedConfig } from 'vite'

export interface ManifestChunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}
export type Manifest = Record<string, ManifestChunk>

export interface Budget {
  page: string
  /** Modules the page loads: the entry and each lazily loaded part. */
  modules: readonly string[]
  limit: number
}

interface PageSize {
  page: string
  kilobytes: number
  limit: number
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

const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`

export function checkBudgets(budgets: readonly Budget[]): Plugin {
  let config: ResolvedConfig
  return {
    name: 'ithings:budget',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const out = join(config.root, config.build.outDir)
        const manifest = JSON.parse(await readFile(join(out, '.vite/manifest.json'), 'utf8')) as Manifest
        const measured: PageSize[] = []
        for (const { page, modules, limit } of budgets) {
          const files = [...scriptsOf(manifest, modules)]
          const sizes = await Promise.all(
            files.map(async (file) => brotliCompressSync(await readFile(join(out, file))).length),
          )
          const total = sizes.reduce((sum, size) => sum + size, 0)
          const text = `${page}: ${kb(total)} of script (brotli) in ${files.length} files, limit ${kb(limit)}`
          if (total > limit) this.error(`over budget, ${text}`)
          config.logger.info(text)
          measured.push({ page, kilobytes: total / 1000, limit: limit / 1000 })
        }
        // Read by `npm run bench`.
        await writeFile(join(out, 'script-sizes.json'), JSON.stringify(measured))
      },
    },
  }
}
