/** Builds once for the exact picture of what shares what, and groups the modules of the true build by it (plan.ts). */
import { parse, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Plugin, type PluginOption, type Rolldown } from 'vite'
import type { Budget } from './budget.ts'
import { planFiles, type Visit } from './plan.ts'
import { type LazyPiece, visitsOf } from './visits.ts'

/** antd's buttons look at one function in a file of the colour picker, whose collapsible panels no start needs. */
const startParts = /^(?!.*[\\/](antd[\\/]es|@rc-component)[\\/]collapse[\\/])/
const start = { name: 'start', tags: ['$initial'], test: startParts } satisfies Rolldown.CodeSplittingGroup
const startEntry = 'index.html'

/** As the manifest names a module. */
const within = (root: string, id: string) => relative(root, id).replaceAll('\\', '/')

/** Texts of another language: who reads Chinese never loads them, so they join no code. */
const isText = (entry: string | null) => /\/en(-[a-z-]+)?\.json$|\/language\/shelves\//.test(entry ?? '')

/** A short file by itself is compressed worse than within the one that it will be in; this is what is left there. */
const inCompany = { below: 20_000, left: 0.275 }

/** Bytes as they are sent, each module with its share of the file. */
function weigh({ code, modules, facadeModuleId }: Rolldown.OutputChunk): Record<string, number> {
  const isShort = code.length < inCompany.below && !isText(facadeModuleId)
  const sent = isShort ? code.length * inCompany.left : brotliCompressSync(code).length
  const lengths = Object.entries(modules).map(([id, { renderedLength }]): [string, number] => [id, renderedLength])
  const all = lengths.reduce((sum, [, length]) => sum + length, 0) || 1
  return Object.fromEntries(lengths.map(([id, length]) => [id, (sent * length) / all]))
}

/** What the bundler would do by itself; nothing of it is written. */
async function exactPieces(root: string, plugins: PluginOption[]): Promise<LazyPiece[]> {
  const made = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      cssCodeSplit: false,
      rolldownOptions: {
        experimental: { chunkOptimization: false },
        output: { codeSplitting: { groups: [start] } },
      },
    },
  })
  const { output } = made as Rolldown.RolldownOutput
  return output.flatMap((one) =>
    one.type === 'chunk'
      ? {
          file: one.fileName,
          entry:
            one.name === start.name ? startEntry : one.isDynamicEntry ? within(root, one.facadeModuleId ?? '') : null,
          imports: one.imports,
          later: one.dynamicImports,
          modules: weigh(one),
        }
      : [],
  )
}

/** Bytes that a request is worth. */
const request = 8_500
/** The plan may go this much beyond a limit: most of what it estimates is more than what is sent. */
const margin = 0.002

const bytesOf = (pieces: readonly LazyPiece[]) =>
  pieces.reduce((sum, { modules }) => Object.values(modules).reduce((total, bytes) => total + bytes, sum), 0)

/** A page as the plan sees it: what its texts take is not there for code. In English it is met as seldom as can be. */
function visitOf({ modules, times = 100, limit, files }: Budget, pieces: readonly LazyPiece[]): Visit {
  const texts = pieces.filter(({ entry }) => entry && isText(entry) && modules.includes(entry))
  const entries = modules.filter((module) => !isText(module))
  return {
    entries,
    times: texts.length > 0 ? 1 : times,
    limit: limit * (1 + margin) - bytesOf(texts),
    files: files - texts.length,
  }
}

/** After a screen or drawer in it, for people to read; the number keeps files of one name apart. */
function nameOf(pieces: readonly LazyPiece[], modules: readonly string[], i: number): string {
  const entry = pieces.find(
    (piece) => piece.entry && Object.keys(piece.modules).some((id) => modules.includes(id)),
  )?.entry
  return `${entry ? parse(entry).name : 'shared'}-${i}`
}

/** `always`: what comes with every page inside the frame. `plugins`: those that decide what a module holds. */
export function fewFiles(plugins: () => PluginOption[], pages: readonly Budget[], always: readonly string[]): Plugin {
  return {
    name: 'ithings:few-files',
    apply: 'build',
    async config({ root = process.cwd() }) {
      const pieces = await exactPieces(root, plugins())
      const code = pieces.filter(({ entry }) => !isText(entry))
      const weighed = pages.map((page) => visitOf(page, pieces))
      const { always: met, files } = planFiles(code, visitsOf(code, weighed, always), startEntry, request)
      const first = pieces.find(({ entry }) => entry === startEntry)
      const names = new Map([
        ...files.flatMap((modules, i) => {
          const name = nameOf(pieces, modules, i)
          return modules.map((id): [string, string] => [id, name])
        }),
        ...[...Object.keys(first?.modules ?? {}), ...met].map((id): [string, string] => [id, start.name]),
      ])
      const packed: Rolldown.CodeSplittingGroup = {
        name: (id) => names.get(id) ?? null,
        debugName: 'packed',
        includeDependenciesRecursively: false,
      }
      return { build: { rolldownOptions: { output: { codeSplitting: { groups: [packed] } } } } }
    },
  }
}
