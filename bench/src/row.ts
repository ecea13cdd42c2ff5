import { type Machine, machineText } from './machine.ts'

/** One measured line: what, the figure, what it is held against, and whether it holds. */
export interface Row {
  area: string
  what: string
  figure: number
  unit: string
  /** The goal (goals.md) or the reference measured in the same run. */
  reference: number
  /** figure / reference; at most 1 is good unless `higherIsBetter`. */
  ratio: number
  higherIsBetter: boolean
  ok: boolean
}

/** A row is never kept or printed without where it was measured. */
export interface MeasuredRow extends Row {
  machine: Machine
}

export interface RowInput {
  area: string
  what: string
  figure: number
  unit: string
  reference: number
  higherIsBetter?: boolean
}

export function row({ higherIsBetter = false, ...input }: RowInput): Row {
  // Nothing may happen at all: one is as bad as many.
  const ratio =
    input.reference === 0 ? (input.figure === 0 ? 1 : Number.POSITIVE_INFINITY) : input.figure / input.reference
  return { ...input, ratio, higherIsBetter, ok: higherIsBetter ? ratio >= 1 : ratio <= 1 }
}

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

export function table(rows: MeasuredRow[]): string {
  const head = ['area', 'what', 'figure', 'goal', 'ratio', '', 'machine']
  const body = rows.map((r) => [
    r.area,
    r.what,
    `${round(r.figure)} ${r.unit}`,
    `${r.higherIsBetter ? '>=' : '<='} ${round(r.reference)} ${r.unit}`,
    r.ratio.toFixed(2),
    r.ok ? 'ok' : 'MISSED',
    machineText(r.machine),
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
