/** What a report tells, whatever file becomes of it. Titles and heads are said in its language already, by a `t` of that language. */
import type { Cell, TableColumn } from '#features/jobs/door.ts'

export interface ReportTable {
  title: string
  columns: TableColumn[]
  rows: Cell[][]
}

/** A line for PDF: the mean of all devices at each time. */
export interface ReportChart {
  title: string
  points: Array<{ time: number; value: number }>
}

/** One figure of the summary; the label is a kept sentence, so that a notice says it in its channel's language. */
export interface ReportFact {
  label: string
  value: string
}

export interface ReportSection {
  tables: ReportTable[]
  facts: ReportFact[]
  charts?: ReportChart[]
}

export interface ReportData {
  title: string
  from: number
  to: number
  timeZone: string
  /** How many devices there are, and how many of them were looked at. */
  devices: number
  shown: number
  facts: ReportFact[]
  tables: ReportTable[]
  charts: ReportChart[]
}
