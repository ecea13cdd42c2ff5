/** Names of devices out of pasted text and files, and what may join a choice. Pure. */
import { deviceNamePattern } from '@ithings/contract/features/devices/info.ts'

export interface ReadNames {
  /** Each once, in the order met. */
  names: string[]
  /** What cannot be the name of a device. */
  bad: string[]
  repeated: number
}

function sort(words: readonly string[]): ReadNames {
  const names = new Set<string>()
  const bad = new Set<string>()
  let repeated = 0
  for (const word of words) {
    const to = deviceNamePattern.test(word) ? names : bad
    if (to.has(word)) repeated += 1
    to.add(word)
  }
  return { names: [...names], bad: [...bad], repeated }
}

/** By lines, spaces, commas or semicolons, Chinese ones too. */
export const readPasted = (text: string): ReadNames => sort(text.split(/[\s,，;；、]+/).filter((word) => word !== ''))

/** Cells of a row; quotes may hold separators and doubled quotes. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ''
    if (quoted && sign === '"' && line[at + 1] === '"') {
      cell += sign
      at += 1
    } else if (sign === '"') quoted = !quoted
    else if (sign === separator && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += sign
  }
  return [...cells, cell].map((one) => one.trim())
}

// Heads of files that people made or that we wrote in either language, not a text.
const heads = ['设备名称', 'devicename', '设备名', 'name']
/** An export of ours writes an apostrophe before what a spreadsheet would run as a formula. */
const plain = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '')

/** A star marks what an import requires. */
const plainHead = (title: string) => title.replace(/[\s*]/g, '').toLowerCase()

/** The column of names, which may be called 设备名称* or Device name; without such a head the first column. */
export function readCsvNames(text: string): ReadNames {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
  const first = lines[0] ?? ''
  const separator = [',', '\t', ';'].find((sign) => first.includes(sign)) ?? ','
  const titles = cellsOf(first, separator).map(plainHead)
  const column = titles.findIndex((title) => heads.includes(title))
  const rows = column < 0 ? lines : lines.slice(1)
  return sort(
    rows.map((line) => plain(cellsOf(line, separator)[Math.max(0, column)] ?? '')).filter((name) => name !== ''),
  )
}

/** UTF-8, else what Chinese spreadsheets write. */
export function decodeFile(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

/** @returns the choice with them, and how many found no room */
export function addNames(value: readonly string[], more: readonly string[], max: number) {
  const all = [...new Set([...value, ...more])]
  return { names: all.slice(0, max), left: Math.max(0, all.length - max) }
}

export function withoutNames(value: readonly string[], gone: Iterable<string>): string[] {
  const removed = new Set(gone)
  return value.filter((name) => !removed.has(name))
}
