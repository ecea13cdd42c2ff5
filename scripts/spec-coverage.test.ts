/**
 * Keeps docs/spec-coverage.md honest: every sentence, route and enumeration value of docs/spec.md has a row, and
 * every row names a test that exists, or how a "not shown" was settled.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTestCall, testNames } from './test-names.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Quote {
  section: string
  text: string
}

const tidy = (text: string) => text.trim().replace(/\s+/g, ' ').replace(/[.;]$/, '')

const sentences = (line: string) =>
  line
    .split(/(?<=[.])\s+(?=[A-Z'/])/)
    .map(tidy)
    .filter((sentence) => sentence !== '' && !sentence.endsWith(':'))

/** `User role: 1 admin, 2 supplier.` is one quote a value: `User role: 1 admin`, `User role: 2 supplier`. */
const enumerationValues = (line: string) =>
  line.split(/\.\s+(?=[A-Z])/).flatMap((part) => {
    const colon = part.indexOf(': ')
    const name = part.slice(0, colon).replace(/\s*\([^)]*\)/, '')
    const values = tidy(part.slice(colon + 2)).replace(/\s*\([^)]*\)/g, '')
    return values.split(/,\s+|(?<=\d) and (?=\d)/).map((value) => `${name}: ${value}`)
  })

function quotesOfSpec(markdown: string): Quote[] {
  const quotes: Quote[] = []
  let section = '0'
  let enumerations = false
  for (const line of markdown.split('\n')) {
    const heading = /^## (\d+)\./.exec(line)
    if (heading?.[1]) section = heading[1]
    if (heading || line === 'Enumerations:') enumerations = !heading
    const add = (texts: string[]) => quotes.push(...texts.map((text) => ({ section, text })))
    if (line.startsWith('| /')) add([(line.split('|')[1] ?? '').trim()])
    else if (enumerations && line.startsWith('- ')) add(enumerationValues(line.slice(2)))
    else if (!/^[#|]/.test(line)) add(sentences(line.replace(/^- /, '')))
  }
  return quotes
}

interface Row {
  id: string
  quote: string
  proofs: string[]
}

function rowsOfCoverage(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, id = '', quote = '', proof = '', ...rest] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      if (rest.length !== 1) throw new Error(`not three columns: ${line}`)
      return {
        id,
        quote: quote.replaceAll('\\|', '|'),
        proofs: proof.split('<br>').map((part) => part.trim().replaceAll('\\|', '|')),
      }
    })
}

const known = new Map<string, Set<string>>()
function hasTest(path: string, name: string): boolean {
  if (!existsSync(join(root, path))) return false
  const names = known.get(path) ?? testNames(read(path), path)
  known.set(path, names)
  return names.has(name)
}

/** What is wrong with one proof of a row, or nothing. */
function flaw(row: Row, proof: string): string | undefined {
  if (proof.startsWith('settled: ')) {
    if (proof.length < 20) return 'does not say how it was settled'
    const open = /not shown|no shown route|apparently unused|whatever is unknown/.test(row.quote)
    return open || row.proofs.length > 1 ? undefined : 'only a "not shown" may be settled by words alone'
  }
  const [path = '', name, ...rest] = proof.split(' › ')
  if (name === undefined || rest.length > 0) return 'is neither a test nor "settled:"'
  if (!/\.test\.tsx?$/.test(path)) return 'names no test file'
  return hasTest(path, name) ? undefined : 'names a test that does not exist'
}

const spec = read('docs/spec.md')
const rows = rowsOfCoverage(read('docs/spec-coverage.md'))
const inSection = (section: string) => rows.filter(({ id }) => id.split('.')[0] === section)

describe('rows', () => {
  test('every row has an id of its own', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    expect(ids.filter((id) => !/^\d\.\d+[a-z]?$/.test(id))).toEqual([])
  })

  test('every row has a proof: a test that exists or a settled "not shown"', () => {
    const flaws = rows.flatMap((row) =>
      row.proofs.flatMap((proof) => {
        const found = flaw(row, proof)
        return found ? [`${row.id}: "${proof}" ${found}`] : []
      }),
    )
    expect(flaws).toEqual([])
  })
})

describe('spec', () => {
  test('the specification is the one that was given', () => {
    expect(spec.startsWith('# Specification: administration console for an IoT device platform\n')).toBe(true)
    expect(quotesOfSpec(spec)).toHaveLength(227)
  })

  test('every sentence, enumeration value and constant has a row in its section', () => {
    const missing = quotesOfSpec(spec).filter(
      ({ section, text }) => !inSection(section).some(({ quote }) => quote === text),
    )
    expect(missing).toEqual([])
  })

  test('every route of section 2 has a row', () => {
    const routes = quotesOfSpec(spec).filter(({ section, text }) => section === '2' && text.startsWith('/'))
    expect(routes).toHaveLength(28)
    const quoted = new Set(inSection('2').map(({ quote }) => quote))
    expect(routes.filter(({ text }) => !quoted.has(text))).toEqual([])
  })
})

describe('the check bites', () => {
  const row = (quote: string, ...proofs: string[]): Row => ({ id: '1.1', quote, proofs })
  const self = 'scripts/spec-coverage.test.ts'

  test('a row without proof, with an unknown test or file is refused', () => {
    for (const proof of [
      '',
      '?',
      'pending: soon',
      `${self} › no such test`,
      'nowhere.test.ts › x',
      'later: Rule engine',
    ]) {
      expect(flaw(row('A sentence'), proof), proof).toBeDefined()
    }
  })

  test('words alone settle only what the specification does not show', () => {
    const words = 'settled: the rule is computed from the role number 1'
    expect(flaw(row('A sentence', words), words)).toBeDefined()
    expect(flaw(row('How it is computed is not shown', words), words)).toBeUndefined()
  })

  test('a test that exists is accepted and a skipped one is not', () => {
    expect(flaw(row('A sentence'), `${self} › every route of section 2 has a row`)).toBeUndefined()
    expect(
      isTestCall({
        type: 'MemberExpression',
        object: { type: 'Identifier', value: 'test' },
        property: { value: 'skip' },
      }),
    ).toBe(false)
  })
})
