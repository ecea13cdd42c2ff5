/**
 * The Markdown of our own guides (docs/*.md) as a tree: headings, paragraphs, lists, tables, code, quotes. No library: the
 * guides use this much, the tree is drawn by React, so no text of a file can become HTML. Pure.
 */
import { type Inline, parseInline, textOf } from './parse-inline.ts'

export type Block =
  | { kind: 'heading'; level: number; parts: Inline[]; slug: string }
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'quote'; blocks: Block[] }

const fence = /^```\s*(\S*)/
const heading = /^(#{1,6})\s+(.*?)\s*#*$/
const bullet = /^([-*+]|\d{1,9}[.)])\s+/
const tableRule = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/

/** As GitHub makes them, so that links work there and here. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The cells of a row; `\|` and bars inside code do not part them. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  const cells = ['']
  let inCode = false
  for (let i = 0; i < inner.length; i++) {
    const sign = inner[i] ?? ''
    if (sign === '\\' && inner[i + 1] === '|') {
      cells.push(`${cells.pop()}|`)
      i++
    } else if (sign === '|' && !inCode) cells.push('')
    else {
      if (sign === '`') inCode = !inCode
      cells.push(`${cells.pop()}${sign}`)
    }
  }
  return cells.map((cell) => cell.trim())
}

const isTable = (lines: readonly string[], at: number) =>
  (lines[at] ?? '').includes('|') && tableRule.test((lines[at + 1] ?? '').trim()) && (lines[at + 1] ?? '').includes('-')

/** Something other than the text of a paragraph begins here. */
const beginsBlock = (lines: readonly string[], at: number): boolean => {
  const line = lines[at] ?? ''
  return (
    line.trim() === '' ||
    fence.test(line) ||
    heading.test(line) ||
    bullet.test(line) ||
    line.startsWith('>') ||
    isTable(lines, at)
  )
}

interface Taken {
  block: Block
  /** The line behind it. */
  next: number
}

function takeCode(lines: readonly string[], at: number, language: string): Taken {
  let next = at + 1
  while (next < lines.length && !(lines[next] ?? '').startsWith('```')) next++
  return { block: { kind: 'code', language, text: lines.slice(at + 1, next).join('\n') }, next: next + 1 }
}

/** Lines that are indented belong to the item above; so does the text of its paragraph without indent. */
function takeList(lines: readonly string[], at: number): Taken {
  const first = lines[at] ?? ''
  const ordered = /^\d/.test(first)
  const items: string[][] = []
  let next = at
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const mark = bullet.exec(line)
    if (mark && /^\d/.test(line) === ordered) items.push([line.slice(mark[0].length)])
    else if (/^\s+\S/.test(line)) items.at(-1)?.push(line.replace(/^ {1,3}/, ''))
    else if (line.trim() === '' && /^(\s+\S)/.test(lines[next + 1] ?? '')) items.at(-1)?.push('')
    else break
  }
  const start = ordered ? Number.parseInt(first, 10) : 1
  return { block: { kind: 'list', ordered, start, items: items.map((item) => parseBlocks(item)) }, next }
}

function takeTable(lines: readonly string[], at: number): Taken {
  const head = cellsOf(lines[at] ?? '').map(parseInline)
  const rows: Inline[][][] = []
  let next = at + 2
  for (; (lines[next] ?? '').includes('|'); next++) rows.push(cellsOf(lines[next] ?? '').map(parseInline))
  return { block: { kind: 'table', head, rows }, next }
}

function takeQuote(lines: readonly string[], at: number): Taken {
  let next = at
  while ((lines[next] ?? '').startsWith('>')) next++
  const inner = lines.slice(at, next).map((line) => line.replace(/^>\s?/, ''))
  return { block: { kind: 'quote', blocks: parseBlocks(inner) }, next }
}

function takeParagraph(lines: readonly string[], at: number): Taken {
  let next = at + 1
  while (next < lines.length && !beginsBlock(lines, next)) next++
  const text = lines.slice(at, next).map((line) => line.trim())
  return { block: { kind: 'paragraph', parts: parseInline(text.join(' ')) }, next }
}

function take(lines: readonly string[], at: number): Taken {
  const line = lines[at] ?? ''
  const code = fence.exec(line)
  if (code) return takeCode(lines, at, code[1] ?? '')
  const title = heading.exec(line)
  if (title) {
    const parts = parseInline(title[2] ?? '')
    return {
      block: { kind: 'heading', level: title[1]?.length ?? 1, parts, slug: slugOf(textOf(parts)) },
      next: at + 1,
    }
  }
  if (bullet.test(line)) return takeList(lines, at)
  if (line.startsWith('>')) return takeQuote(lines, at)
  if (isTable(lines, at)) return takeTable(lines, at)
  return takeParagraph(lines, at)
}

function parseBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; ) {
    if ((lines[at] ?? '').trim() === '') {
      at++
      continue
    }
    const { block, next } = take(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

/** Equal headings get -1, -2 behind the first, as on GitHub. */
function withOwnSlugs(blocks: Block[]): Block[] {
  const seen = new Map<string, number>()
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block
    const times = seen.get(block.slug) ?? 0
    seen.set(block.slug, times + 1)
    return times === 0 ? block : { ...block, slug: `${block.slug}-${times}` }
  })
}

export const parseMarkdown = (source: string): Block[] => withOwnSlugs(parseBlocks(source.split(/\r?\n/)))
