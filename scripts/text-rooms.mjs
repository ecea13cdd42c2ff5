/**
 * Which catalogues the console has fetched when a module is shown (docs/design/language.md). A module comes with whoever
 * imports it, so its texts have to be there with the start, with the frame, or with the dynamic import that leads to it:
 * `withTexts('products', import(…))`. A catalogue is named by its room, a second one of a room with its own name behind.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { parseSync } from 'oxc-parser'

const source = 'apps/console/src'
const contract = 'packages/contract/src'
const start = `${source}/app/main.tsx`
const frame = `${source}/app/shell/shell.tsx`
/** What it loads is drawn inside the frame, so the texts of the frame are there, too. */
const screens = `${source}/app/routes.tsx`

/** @param {string} root @param {string} name as `withTexts` is given it @returns {string[]} files */
function cataloguesOf(root, name) {
  const shelf = `${source}/language/shelves/${name}.ts`
  if (existsSync(join(root, shelf))) return readImports(root, shelf).catalogues
  const [room, part] = name.split('/')
  const file = `${source}/${room === 'app' ? '' : 'features/'}${room}/${part ? `en-${part}` : 'en'}.json`
  return existsSync(join(root, file)) ? [file] : []
}

/** The file behind an import; libraries and styles are none of ours. */
function resolve(root, from, specifier) {
  const inside = from.startsWith(contract) ? contract : source
  const path = specifier.startsWith('@ithings/contract/')
    ? join(contract, specifier.slice('@ithings/contract/'.length))
    : specifier.startsWith('#')
      ? join(inside, specifier.slice(1))
      : specifier.startsWith('.') && join(dirname(from), specifier)
  if (!path || !/\.(tsx?|json)$/.test(path) || !existsSync(join(root, path))) return undefined
  return path.split(sep).join('/')
}

const bringsTypesOnly = ({ importKind, exportKind, specifiers }) =>
  importKind === 'type' ||
  exportKind === 'type' ||
  (specifiers?.length > 0 && specifiers.every((one) => one.importKind === 'type'))

const literals = (node) =>
  (node?.type === 'ArrayExpression' ? node.elements : [node]).flatMap((one) =>
    typeof one?.value === 'string' ? [one.value] : [],
  )

/** What a module imports, which catalogues, what it imports when it is needed, and the texts that it starts with. */
function readImports(root, path) {
  const imports = []
  const lazy = []
  const begins = []
  const visit = (node, parent) => {
    if (Array.isArray(node)) for (const one of node) visit(one, parent)
    if (!node || typeof node.type !== 'string') return
    if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && node.source && !bringsTypesOnly(node))
      imports.push(resolve(root, path, node.source.value))
    if (node.type === 'ImportExpression' && node.source.value) {
      const given = parent?.callee?.name === 'withTexts' ? literals(parent.arguments[0]) : []
      lazy.push({ target: resolve(root, path, node.source.value), given })
    }
    if (node.type === 'CallExpression' && node.callee.name === 'startLanguage')
      begins.push(...literals(node.arguments[0]))
    for (const key in node) if (key !== 'type') visit(node[key], node)
  }
  visit(parseSync(path, readFileSync(join(root, path), 'utf8')).program, undefined)
  const isCatalogue = (file) => file.endsWith('.json')
  return {
    imports: imports.filter((file) => file && !isCatalogue(file)),
    catalogues: imports.filter((file) => file && isCatalogue(file)),
    lazy: lazy.filter(({ target }) => target),
    begins,
  }
}

/**
 * Everything that is loaded by itself: the start and each dynamic import.
 * @returns {{ entry: string, modules: Set<string>, catalogues: Set<string> }[]} with all modules behind it, and the
 *   catalogues that are there whenever it is shown
 */
export function readVisits(root) {
  const known = new Map()
  const read = (path) => {
    if (!known.has(path)) known.set(path, readImports(root, path))
    return known.get(path)
  }
  const modulesOf = (entry) => {
    const modules = new Set()
    const follow = (path) => {
      if (modules.has(path)) return
      modules.add(path)
      read(path).imports.forEach(follow)
    }
    follow(entry)
    return modules
  }
  if (!existsSync(join(root, start))) return []
  const files = (names) => names.flatMap((name) => cataloguesOf(root, name))
  const first = { entry: start, modules: modulesOf(start), catalogues: new Set(files(read(start).begins)) }
  const waysIn = ({ modules }) =>
    [...modules].flatMap((path) => read(path).lazy.map((way) => ({ ...way, path, brings: files(way.given) })))
  const framed = waysIn(first).find(({ target }) => target === frame)?.brings ?? []
  const visits = new Map([[start, first]])
  // Again and again: a way that is found later may bring fewer catalogues than the first one, until nothing changes.
  for (let changed = true; changed; ) {
    changed = false
    for (const visit of [...visits.values()])
      for (const { target, path, brings } of waysIn(visit)) {
        const here = new Set([...visit.catalogues, ...brings, ...(path === screens ? framed : [])])
        const before = visits.get(target)
        const both = before ? new Set([...before.catalogues].filter((file) => here.has(file))) : here
        if (before && both.size === before.catalogues.size) continue
        visits.set(target, { entry: target, modules: before?.modules ?? modulesOf(target), catalogues: both })
        changed = true
      }
  }
  return [...visits.values()]
}

/** All catalogues of the console, and those of the contract, which it reads, too. */
export const allCatalogues = (root) =>
  [source, contract].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /^en(-[a-z-]+)?\.json$/.test(name))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/')),
  )
