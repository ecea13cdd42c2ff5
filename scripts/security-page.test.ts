/**
 * Keeps SECURITY.md and docs/security.md honest: what they name is there, every requirement of ASVS 5.0 at levels 1 and 2
 * has one row, and the numbers at the top are those of the rows.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './repository.mjs'
import { testNames } from './test-names.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const named = [...read('SECURITY.md').matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => path)

test('the security page names tests', () => expect(named.length).toBeGreaterThan(8))

test.each(named)('%s exists', (path) => {
  expect(globSync(path, { cwd: root })).not.toEqual([])
})

const states = ['met', 'not met', 'not proven', 'n/a']

/** A requirement, or several of a section or chapter that do not apply. */
interface Row {
  id: string
  chapter: string
  level: string
  state: string
  proof: string
  count: number
}

const single = /^V\d+\.\d+\.\d+$/
const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim())

/** `| V6.2.1 | 1 | what | met | proof |`, and `| V17 | 2 | 7 | n/a | reason |` for seven at once. */
function rowsOf(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| V\d+[.\d–]* \|/.test(line))
    .map((line) => {
      const [, id = '', level = '', what = '', state = '', proof = ''] = cellsOf(line)
      const [chapter = ''] = id.split('.')
      return { id, chapter, level, state, proof, count: single.test(id) ? 1 : Number(what) }
    })
}

/** `| V6 Authentication | 8 / 2 / 0 / 0 | 9 / 4 / 0 / 7 |`: by level the number of each state. */
function summaryOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => /^\| (V\d+ [A-Z]|All)/.test(line))
    .map((line) => cellsOf(line).slice(1, 4))
}

function figures(rows: Row[]): string {
  const sum = (state: string) => rows.filter((row) => row.state === state).reduce((all, { count }) => all + count, 0)
  return states.map(sum).join(' / ')
}
const byLevel = (rows: Row[]) => ['1', '2'].map((level) => figures(rows.filter((row) => row.level === level)))

const testFiles = globSync('{apps,bench,e2e,packages,scripts}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: (path) => path === 'node_modules' || path.endsWith('/node_modules'),
})

function flawOfTest(proof: string): string | undefined {
  const [, ending, words] = /^`(\S+\.test\.tsx?)` › (.{8,})$/.exec(proof) ?? []
  if (!ending || !words) return 'is no proof'
  const [path, ...others] = testFiles.filter((file) => file === ending || file.endsWith(`/${ending}`))
  if (!path || others.length > 0) return `names ${others.length + (path ? 1 : 0)} files`
  return [...testNames(read(path), path)].some((name) => name.includes(words)) ? undefined : 'names no test'
}

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

/** Sections of ASVS that ask for documentation: a chapter of a document is their proof. */
const asksForDocument = /^V(2|5|6|7|8|11|13|14|15|16)\.1\./

function flawOfDocument(link: RegExpExecArray): string | undefined {
  const [, file = '', anchor] = link
  const path = file === '' ? 'docs/security.md' : join('docs', file)
  if (!existsSync(join(root, path))) return 'names no document'
  if (anchor === undefined) return undefined
  const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading))
  return headings.includes(anchor) ? undefined : 'names no heading'
}

function flawOfProof(id: string, proof: string): string | undefined {
  const link = /^\[[^\]]+\]\(([\w./-]*)(?:#([^)]+))?\)$/.exec(proof)
  if (link) return asksForDocument.test(id) ? flawOfDocument(link) : 'proves an act by a document'
  return flawOfTest(proof)
}

/** What is wrong with a row: proofs stand first, words that explain follow a semicolon. */
function flawsOf({ id, level, state, proof }: Row): string[] {
  if (!states.includes(state) || !/^[12]$/.test(level)) return [`${id}: no level or state`]
  // Several at once are told apart only when there is nothing to prove.
  if (state === 'met' && !single.test(id)) return [`${id}: each needs its own row`]
  if (state !== 'met') return proof.length < 12 ? [`${id}: no reason`] : []
  const [proofs = ''] = proof.split(';')
  return proofs.split('<br>').flatMap((one) => {
    const flaw = flawOfProof(id, one.trim())
    return flaw ? [`${id}: ${one.trim()} ${flaw}`] : []
  })
}

describe('ASVS', () => {
  const page = read('docs/security.md')
  const rows = rowsOf(page)

  test('every requirement of levels 1 and 2 has one row', () => {
    const ids = rows.map(({ id, level }) => (single.test(id) ? id : `${id} ${level}`))
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    const total = (level: string) => rows.filter((row) => row.level === level).reduce((all, row) => all + row.count, 0)
    expect([total('1'), total('2')]).toEqual([70, 183])
  })

  test('what is met names tests that are there, everything else its reason', () => {
    expect(rows.flatMap(flawsOf)).toEqual([])
  })

  test('the numbers at the top are those of the rows', () => {
    const summary = summaryOf(page)
    const chapters = [...new Set(rows.map(({ chapter }) => chapter))].sort(
      (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
    )
    const wanted = chapters.map((chapter) => byLevel(rows.filter((row) => row.chapter === chapter)))
    expect(summary.map(([, ...numbers]) => numbers)).toEqual([...wanted, byLevel(rows)])
    expect(summary.map(([name]) => name?.split(' ')[0])).toEqual([...chapters, 'All'])
  })
})

describe('the check bites', () => {
  const self = '`scripts/security-page.test.ts`'
  const flaws = (line: string) => rowsOf(line).flatMap(flawsOf)

  test('a row with a test that is there, or with a reason, is taken', () => {
    expect(flaws(`| V6.2.1 | 1 | what | met | ${self} › the security page names; and words |`)).toEqual([])
    expect(flaws('| V6.1.1 | 1 | what | met | [rules](en/configuration.md#limits-that-are-fixed) |')).toEqual([])
    expect(flaws('| V6.2.1 | 1 | what | not met | nobody has done it yet |')).toEqual([])
  })

  test.each([
    `| V6.2.1 | 1 | what | met | ${self} › no such title |`,
    '| V6.2.1 | 1 | what | met | `nowhere.test.ts` › the security page |',
    '| V6.2.1 | 1 | what | met | `several-servers.test.ts` › a token issued by one server |',
    `| V6.2.1 | 1 | what | met | ${self} › the security page names<br>of course |`,
    '| V6.2.1 | 1 | what | met | [rules](en/configuration.md#limits-that-are-fixed) |',
    '| V6.1.1 | 1 | what | met | [rules](en/configuration.md#no-such-heading) |',
    '| V6.1.1 | 1 | what | met | [rules](nowhere.md) |',
    '| V6.2.1 | 1 | what | met | |',
    '| V6.2.1 | 1 | what | not met | |',
    '| V6.2.1 | 3 | what | almost | nobody has done it yet |',
  ])('%s is refused', (line) => {
    expect(flaws(line)).toHaveLength(1)
  })

  test('numbers are counted by level and state, a chapter as a whole by what it has', () => {
    const rows = rowsOf(
      '| V1.1.1 | 1 | what | met | x |\n| V1.1.2 | 2 | what | not met | x |\n| V17 | 2 | 7 | n/a | x |',
    )
    expect(byLevel(rows)).toEqual(['1 / 0 / 0 / 0', '0 / 1 / 0 / 7'])
  })
})
