/** The files of the import: template, failed rows, and what is refused before anything is sent. */

import {
  type ImportRow,
  importColumns,
  maxImportBytes,
  maxImportRows,
} from '@ithings/contract/features/devices/bulk.ts'
import { LogLevel, logLevelLabels } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { downloadText } from '#kit/download.ts'
import { toCsv } from '#kit/list-page/csv.ts'
import { numberText } from '#kit/number-text.ts'

/** In the language of the console: the server goes by the order of the columns. */
const heads = () => importColumns.map(([, title]) => t(title))

// The server refuses rows that carry this word, so a forgotten sample never becomes a device.
const sampleOf = (productName = t('ithingsdemo产品')) => [
  productName,
  'ithingsdemo-0001',
  t('一号泵站'),
  '',
  t(logLevelLabels[LogLevel.off], { context: 'state' }),
  t('区域:朝阳;期次:二期'),
  '116.404,39.915',
  t('朝阳北路 7 号'),
  t('示例行，导入前请删除'),
]

/** @param productName of a product that there is */
export const templateText = (productName?: string): string => toCsv([heads(), sampleOf(productName)])

export const saveTemplate = (productName?: string): void =>
  downloadText(templateText(productName), t('设备导入模板.csv'), 'text/csv')

/** The rows as they were, with the reason in the last column: corrected, the file can be imported again. */
export const failedRowsText = (rows: readonly ImportRow[]): string =>
  toCsv([heads(), ...rows.map((row) => importColumns.map(([name]) => row[name]))])

export const saveFailedRows = (rows: readonly ImportRow[]): void =>
  downloadText(failedRowsText(rows), t('导入失败的设备.csv'), 'text/csv')

export const importHint = (): string =>
  t('CSV 文件，UTF-8 或 GBK，最多 {rows, number} 行、{size} MB', {
    rows: maxImportRows,
    size: maxImportBytes / 1024 / 1024,
  })

export function refuseImport(file: { name: string; size: number }): string | undefined {
  if (!/\.csv$/i.test(file.name)) return t('「{name}」不是 CSV 文件，请在表格软件中另存为 CSV', { name: file.name })
  if (file.size === 0) return t('「{name}」是空文件', { name: file.name })
  if (file.size > maxImportBytes) {
    return t('文件不能超过 {max} MB，「{name}」有 {size} MB', {
      max: maxImportBytes / 1024 / 1024,
      name: file.name,
      size: numberText(file.size / 1024 / 1024, 1, 1),
    })
  }
  return undefined
}

/**
 * What is shown while a file is on its way. A full bar reads as finished, but nothing is written when the last byte has
 * left: then there is none.
 * @param share 0 to 1 of the bytes sent
 * @param dryRun nothing will be written
 */
export const sendingOf = (share: number, dryRun: boolean): { percent?: number; text: string } =>
  share < 1
    ? { percent: Math.floor(share * 100), text: t('正在上传') }
    : { text: dryRun ? t('正在逐行检查') : t('正在写入') }
