/** A report as the file that it is asked for. */
import type { Readable } from 'node:stream'
import type { ReportFormat, ReportPlan } from '@ithings/contract/features/reports.ts'
import { sayKept, type Translate } from '@ithings/contract/text.ts'
import { ZipFile } from 'yazl'
import { type Cell, tableFile, workbookFile } from '#features/jobs/door.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { ReportData, ReportTable } from '../content/report-data.ts'
import { makeTimeText } from '../periods.ts'
import { pdfReport } from './pdf-report.ts'

export interface WrittenReport {
  content: Readable
  extension: string
}

/** The first sheet, and the first file of an archive. */
function summaryOf({ title, from, to, timeZone, facts }: ReportData, t: Translate): ReportTable {
  const timeText = makeTimeText(timeZone)
  return {
    title: t('概要'),
    columns: [
      { head: t('项目'), type: 'text' },
      { head: t('内容'), type: 'text' },
    ],
    rows: [
      [t('名称'), title],
      [t('开始时间'), timeText(from)],
      [t('结束时间'), timeText(to)],
      [t('时区'), timeZone],
      ...facts.map(({ label, value }) => [sayKept(label, t), value]),
    ],
  }
}

async function* inOnePortion(rows: Cell[][]) {
  yield rows
}

const sheetOf = ({ rows, ...table }: ReportTable) => ({ ...table, portions: inOnePortion(rows) })

/** One table is one file, several are an archive with one each. */
function csvReport(tables: ReportTable[]): WrittenReport {
  const [only, ...others] = tables
  const csv = ({ columns, rows }: ReportTable) => tableFile('csv', columns, inOnePortion(rows))
  if (only && others.length === 0) return { content: csv(only), extension: 'csv' }
  const zip = new ZipFile()
  for (const [at, table] of tables.entries()) zip.addReadStream(csv(table), `${at + 1}-${table.title}.csv`)
  zip.end()
  return { content: zip.outputStream as Readable, extension: 'zip' }
}

const writers: Record<ReportFormat, (data: ReportData, t: Translate) => Promise<WrittenReport>> = {
  csv: async ({ tables }) => csvReport(tables),
  xlsx: async (data, t) => {
    const sheets = [summaryOf(data, t), ...data.tables]
    return { content: workbookFile(sheets.map(sheetOf)), extension: 'xlsx' }
  },
  pdf: async (data, t) => ({ content: await pdfReport(data, t), extension: 'pdf' }),
}

export const writeReport = (data: ReportData, { format, language }: Pick<ReportPlan, 'format' | 'language'>) =>
  writers[format](data, translatorOf(language))
