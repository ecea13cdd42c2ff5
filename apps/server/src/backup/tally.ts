/** Counts and digests, kept in the same way by who writes a backup and who reads it. */
import { createHash } from 'node:crypto'
import type { Part, PartEnd, Trailer } from './format.ts'

const newline = 10

export function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines++
  return lines
}

/** What passed of one part. In COPY's text format a line is a row: line breaks within values are written as \n. */
export function makePartTally(part: Part) {
  const hash = createHash('sha256')
  let bytes = 0
  let rows = 0
  return {
    add(chunk: Buffer) {
      hash.update(chunk)
      bytes += chunk.length
      if (part.kind === 'table') rows += countLines(chunk)
    },
    end: (): PartEnd => ({ bytes, rows, sha256: hash.digest('hex') }),
  }
}

/** What passed of the whole backup. */
export function makeTally(headerText: Buffer) {
  const hash = createHash('sha256').update(headerText)
  const sums = { tables: 0, rows: 0, files: 0, bytes: 0 }
  return {
    sums: (): Readonly<typeof sums> => sums,
    add(part: Part, end: PartEnd, endText: Buffer) {
      hash.update(endText)
      if (part.kind === 'table') sums.tables++
      else if (part.kind === 'file') sums.files++
      sums.rows += end.rows
      sums.bytes += end.bytes
    },
    trailer: (): Trailer => ({ ...sums, sha256: hash.digest('hex') }),
  }
}
