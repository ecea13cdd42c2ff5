/**
 * Finds texts that no English reader would understand (docs/design/language.md): Chinese in the code that does not go
 * through `t`, texts without a translation, and translations that nothing uses. `--missing ROOM` prints what is missing.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseSync } from 'oxc-parser'

const chinese = /\p{Script=Han}|[，。：；！？（）「」、【】]/u
const product = (path) => /\.tsx?$/.test(path) && !/\.test\.|\/testing\/|\/gallery\/|\.d\.ts$/.test(path)

/** A line with this comment holds what is no text for people: a sample, a word to look for in what people wrote. */
const exempt = /not a text\b/

/** Who reads which catalogues: the shell brings those that its screens share, the sign-in page does without. */
const console_ = 'apps/console/src'
const server = 'apps/server/src'
const demo = `${server}/features/demo`
const small = ['api', 'app', 'kit', 'features/users'].map((room) => `${console_}/${room}`)
const shared = [`${console_}/kit`, `${console_}/blocks`, 'packages/contract/src']

/** @param {string} path */
function roomOf(path) {
  // Names of the demo fleet are no words of the product.
  if (/^apps\/server\/src\/features\/demo\/(fleet|make)\//.test(path)) return demo
  // The server says the errors of the catalogue.
  if (path === 'packages/contract/src/errors.ts') return server
  const feature = /^apps\/console\/src\/features\/[^/]+/.exec(path)
  return feature?.[0] ?? /^(apps\/console\/src\/[^/]+|packages\/contract\/src|apps\/server\/src)/.exec(path)?.[0]
}

/** @param {string} room */
function readsOf(room) {
  if (room === demo) return [room]
  if (room === server) return [server, 'packages/contract/src']
  // The server says its texts, too, and has no other catalogue.
  if (room === 'packages/contract/src') return [room]
  return [room, ...(small.includes(room) ? [`${console_}/kit`] : shared)]
}

/** @param {string} root @param {string} folder @returns {string[]} */
const filesIn = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))

const isComparison = (parent) =>
  (parent.type === 'BinaryExpression' && /^[!=]==?$/.test(parent.operator)) || parent.type === 'SwitchCase'

/** The text of a literal, or undefined. */
function textOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'JSXText') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked).join('{}')
  return undefined
}

const definesEndpoint = (node) =>
  node.type === 'CallExpression' && /^(query|modify|add|remove|act|endpoint|endpointsOf)$/.test(node.callee.name ?? '')

/** Names of endpoints and of their groups, which the API page and the list of APIs show. */
function isName(node, parents) {
  const [call, , property] = parents.slice(-3)
  if (property.type === 'Property') return definesEndpoint(call) && /^(name|group)$/.test(property.key.name ?? '')
  return definesEndpoint(property) && property.arguments[property.callee.name === 'endpointsOf' ? 0 : 1] === node
}

/**
 * @param {string} path @param {string} source
 * @returns {{ keys: string[], faults: string[], names: string[] }} texts that are shown, Chinese that bypasses `t`, and
 *   names of endpoints: the server says them in refusals, the console never does
 */
export function readTexts(path, source) {
  const keys = []
  const faults = []
  const names = []
  const lines = source.split('\n')
  const visit = (node, parents, inFunction) => {
    if (Array.isArray(node)) for (const one of node) visit(one, parents, inFunction)
    if (!node || typeof node.type !== 'string') return
    const parent = parents.at(-1)
    const text = textOf(node)
    if (text !== undefined && chinese.test(text)) {
      const line = source.slice(0, node.start).split('\n').length
      const isKey =
        parent.type === 'CallExpression' &&
        /^(t|phrase|kept)$/.test(parent.callee.name ?? '') &&
        parent.arguments[0] === node
      const isPlain = node.type === 'Literal' || (node.type === 'TemplateLiteral' && node.expressions.length === 0)
      const isLabel =
        (parent.type === 'LogicalExpression' || parent.type === 'ConditionalExpression') &&
        /^(t|phrase|kept)$/.test(parents.at(-2)?.callee?.name ?? '')
      if (exempt.test(lines[line - 1] ?? '') || exempt.test(lines[line - 2] ?? '')) return
      if (
        /^TS|ImportDeclaration/.test(parent.type) &&
        parent.type !== 'TSAsExpression' &&
        parent.type !== 'TSSatisfiesExpression'
      )
        return
      if (isComparison(parent)) faults.push(`${path}:${line} compares with the text ${JSON.stringify(text)}`)
      else if (isKey || isLabel || (!inFunction && isPlain)) {
        if (isKey || isLabel || !parents.some(definesEndpoint)) keys.push(text)
        else if (isName(node, parents)) names.push(text)
      } else
        faults.push(`${path}:${line} is not in any language but Chinese: ${JSON.stringify(text.trim().slice(0, 40))}`)
    }
    const isFunction = /Function/.test(node.type)
    for (const key in node) if (key !== 'type') visit(node[key], [...parents, node], inFunction || isFunction)
  }
  visit(parseSync(path, source).program, [], false)
  return { keys, faults, names }
}

/** @param {string} root */
export function checkTexts(root) {
  const faults = []
  /** @type {Map<string, Set<string>>} */
  const used = new Map()
  /** @param {string | undefined} room @param {string[]} texts */
  const add = (room, texts) => {
    if (room && texts.length > 0) used.set(room, new Set([...(used.get(room) ?? []), ...texts]))
  }
  for (const path of ['packages/contract/src', console_, server]
    .flatMap((folder) => filesIn(root, folder))
    .filter(product)) {
    const read = readTexts(path, readFileSync(join(root, path), 'utf8'))
    faults.push(...read.faults)
    add(roomOf(path), read.keys)
    add(server, read.names)
  }
  const known = new Map()
  for (const room of new Set([...used.keys(), ...shared])) {
    const file = join(root, room, 'en.json')
    known.set(room, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
  }
  const missing = new Map()
  for (const [room, keys] of used) {
    const catalogues = readsOf(room).map((one) => known.get(one) ?? {})
    missing.set(
      room,
      [...keys].filter((key) => !catalogues.some((texts) => key in texts)),
    )
  }
  const readers = (room) =>
    [...used].filter(([other]) => readsOf(other).includes(room)).flatMap(([, keys]) => [...keys])
  const unused = []
  for (const [room, texts] of known) {
    const read = new Set(readers(room))
    for (const key of Object.keys(texts))
      if (!read.has(key.replace(/(_[a-z]+)?(_one)?$/, '')) && !read.has(key)) unused.push(`${room}/en.json: ${key}`)
  }
  // Each program reads its own catalogues and that of the contract as one.
  for (const isOf of [(room) => room !== server, (room) => !room.startsWith(console_)]) {
    const said = new Map()
    for (const [room, texts] of [...known].filter(([name]) => name !== demo && isOf(name))) {
      for (const [key, text] of Object.entries(texts)) {
        const other = said.get(key) ?? text
        if (other !== text) faults.push(`${room}/en.json: ${key} is "${other}" elsewhere`)
        said.set(key, other)
      }
    }
  }
  return { faults, missing, unused, texts: [...used.values()].reduce((sum, keys) => sum + keys.size, 0) }
}

function main() {
  const root = join(import.meta.dirname, '..')
  const { faults, missing, unused, texts } = checkTexts(root)
  const room = process.argv[process.argv.indexOf('--missing') + 1]
  if (process.argv.includes('--missing')) {
    const found = [...missing].filter(([name]) => name.endsWith(room)).flatMap(([, keys]) => keys)
    console.log(JSON.stringify(Object.fromEntries(found.map((key) => [key, ''])), undefined, 2))
    return
  }
  for (const fault of faults) console.error(fault)
  for (const [name, keys] of missing)
    for (const key of keys) console.error(`${name}/en.json lacks ${JSON.stringify(key)}`)
  for (const key of unused) console.error(`nothing shows ${key}`)
  const count = faults.length + unused.length + [...missing.values()].flat().length
  console.log(`${texts} texts, ${count} of them not in order`)
  process.exitCode = count > 0 ? 1 : 0
}

if (import.meta.main) main()
