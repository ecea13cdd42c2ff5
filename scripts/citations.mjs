// Every document that the code cites is in the repository and has the section and the term that are named; links lead somewhere.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root } from './repository.mjs'

/** @typedef {{ number: string, names: string, level: number, from: number, to: number }} Section */
/** @typedef {{ path: string, sections: Section[], terms: { at: number, text: string }[], anchors: Set<string> }} Document */
/** @typedef {{ [path: string]: string }} Files texts by path */

/** As GitHub makes them. @param {string} heading */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

const headingLine = /^(#+) ((?:(\d+(?:\.\d+)*)\.? )?.*)$/

/** A term is what a reader finds at a glance: a heading, bold text, the first column of a table. @param {string} line */
const termsOf = (line) => [
  ...(line.match(/^#+ .*/) ?? []),
  ...(line.match(/\*\*[^*]+\*\*/g) ?? []),
  ...(line.match(/^\|[^|]*/) ?? []),
]

/** @param {string} path @param {string} text @returns {Document} */
function readDocument(path, text) {
  // What stands in a code block is no heading.
  const lines = text.replace(/^```.*?^```/gms, (block) => block.replace(/[^\n]/g, '')).split('\n')
  const sections = lines.flatMap((line, from) => {
    const [, marks = '', names = '', number = ''] = headingLine.exec(line) ?? []
    return marks ? [{ number, names, level: marks.length, from, to: lines.length }] : []
  })
  for (const [i, one] of sections.entries()) {
    one.to = sections.slice(i + 1).find((next) => next.level <= one.level)?.from ?? lines.length
  }
  const terms = lines.flatMap((line, at) => termsOf(line).map((term) => ({ at, text: term.toLowerCase() })))
  return { path, sections, terms, anchors: new Set(sections.map(({ names }) => anchorOf(names))) }
}

const numbers = /\d+(?:\.\d+)*(?:(?:,| to| and) \d+(?:\.\d+)*(?![\w%]| [a-z]))*/.source
const quoted = /"[^"\n]+"(?:, "[^"\n]+")*/.source
/** Neither a link nor the path of a program: those are in quotes or parentheses of their own and name no section. */
const citation = new RegExp(
  `(?<![\\w./-]|\\]\\()(?:((?:[\\w-]+/)*)([\\w-]+\\.md)\\b(?!#)|(spec)(?= \\d))(?: (${numbers}))?(?: (${quoted}))?`,
  'g',
)
const mockup = /\bmock-?up \d+/gi

/** @param {Document[]} languages of one document: one that has it will do @param {string | undefined} number @param {string[]} wanted */
const missingIn = (languages, number, wanted) => {
  const missing = languages.map((document) => missingInOne(document, number, wanted))
  return missing.includes(undefined) ? undefined : missing[0]
}

/** @param {Document} document @param {string | undefined} number @param {string[]} wanted @returns {string | undefined} what is not there */
function missingInOne({ sections, terms }, number, wanted) {
  const section =
    number === undefined ? { from: 0, to: Number.POSITIVE_INFINITY } : sections.find((one) => one.number === number)
  if (!section) return `has no section ${number}`
  const { from, to } = section
  const gone = wanted.find(
    (term) => !terms.some(({ at, text }) => at >= from && at < to && text.includes(term.toLowerCase())),
  )
  return gone && `has no "${gone}"${number === undefined ? '' : ` in section ${number}`}`
}

/** A guide in English is the same document as the Chinese one beside its folder. @param {string} path */
const originalOf = (path) => path.replace(/^docs\/en\//, 'docs/')

/** By its path, or by its name alone below docs/ and at the root. @param {Document[]} documents @param {string} cited */
const findDocuments = (documents, cited) =>
  documents.filter(({ path }) =>
    cited.includes('/') ? path === cited : basename(path) === cited && /^(docs\/|[^/]+$)/.test(path),
  )

/** @param {string} text of a file of code @param {Document[]} documents @returns {{ at: number, why: string }[]} */
function faultsOfCode(text, documents) {
  const faults = []
  for (const match of text.matchAll(citation)) {
    const [, folder = '', cited, , numberList, terms] = match
    const name = cited ?? 'spec.md'
    const found = findDocuments(documents, folder + name)
    const tell = (/** @type {string} */ why) => faults.push({ at: match.index, why: `${folder}${name} ${why}` })
    if (found.length === 0) tell('is not in the repository')
    else if (new Set(found.map(({ path }) => originalOf(path))).size > 1) tell('is the name of several documents')
    else {
      const list = numberList?.match(/\d+(?:\.\d+)*/g) ?? []
      const wanted = terms?.slice(1, -1).split('", "') ?? []
      // Terms belong to the section before them.
      const last = list.at(-1)
      const missing = list.slice(0, -1).map((number) => missingIn(found, number, []))
      for (const why of [...missing, missingIn(found, last, wanted)]) if (why) tell(why)
    }
  }
  const drawings = [...text.matchAll(mockup)].map(({ 0: words, index }) => ({
    at: index,
    why: `${words} is not in the repository`,
  }))
  return [...faults, ...drawings]
}

/** @param {string} path @param {string} text of a document @param {Files} files @param {Document[]} documents @returns {{ at: number, why: string }[]} */
function faultsOfLinks(path, text, files, documents) {
  return [...text.matchAll(/\]\(([^)\s#:]*)(?:#([^)\s]+))?\)/g)].flatMap(({ 1: to = '', 2: anchor, index }) => {
    const target = to === '' ? path : join(dirname(path), decodeURI(to)).replaceAll('\\', '/').replace(/\/$/, '')
    if (!Object.keys(files).some((one) => one === target || one.startsWith(`${target}/`)))
      return [{ at: index, why: `the link to ${to} leads nowhere` }]
    const document = documents.find((one) => one.path === target)
    if (anchor === undefined || !document || document.anchors.has(decodeURI(anchor))) return []
    return [{ at: index, why: `${target} has no heading #${anchor}` }]
  })
}

/**
 * @param {Files} files everything that is tracked; only texts of code and documents are read
 * @returns {string[]} `file:line: why`
 */
export function citationFaults(files) {
  const documents = Object.entries(files).flatMap(([path, text]) =>
    path.endsWith('.md') ? [readDocument(path, text)] : [],
  )
  return Object.entries(files).flatMap(([path, text]) => {
    const faults = path.endsWith('.md')
      ? faultsOfLinks(path, text, files, documents)
      : isCode(path)
        ? faultsOfCode(text, documents)
        : []
    return faults.map(({ at, why }) => `${path}:${text.slice(0, at).split('\n').length}: ${why}`)
  })
}

/** The test of this file is full of planted faults. */
const isCode = (/** @type {string} */ path) =>
  /\.(tsx?|css|mjs|js|sql|ya?ml)$/.test(path) && path !== 'scripts/citations.test.ts'

/** Not by git, which refuses clones that belong to somebody else. As .gitignore says. */
const untracked = /(^|\/)(node_modules|dist|data|coverage|results|shots|\.git|\.vitest)$|\.(log|backup)$/

/** '' for folders, and for files that are gone by now: other steps write beside this one. @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} folder of a repository @returns {Files} */
export function repositoryFiles(folder) {
  const exclude = (/** @type {string} */ path) => untracked.test(path.replaceAll('\\', '/'))
  const paths = globSync(['**/*', '.*', '.*/**'], { cwd: folder, exclude })
  const isRead = (/** @type {string} */ path) => isCode(path) || path.endsWith('.md')
  return Object.fromEntries(
    paths.map((path) => [path.replaceAll('\\', '/'), isRead(path) ? readText(join(folder, path)) : '']),
  )
}

if (import.meta.main) {
  const files = repositoryFiles(root)
  const faults = citationFaults(files)
  for (const fault of faults) console.error(fault)
  console.log(`${Object.keys(files).length} files, ${faults.length} citations and links that lead nowhere`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
