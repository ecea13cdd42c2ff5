import type { PropertyLogRow } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import dayjs from 'dayjs'
import { useRef, useState } from 'react'
import { maxRows } from '#blocks/history-chart/interval.ts'
import { downloadText } from '#kit/download.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { type PropertyLogBody, readPropertyLog } from '../live-queries.ts'
import { historyCsv } from './history-csv.ts'
import { type HistoryChoice, isDrawable, planHistory } from './history-plan.ts'

/** A spreadsheet takes about a million lines; a browser's memory is smaller. */
export const exportLimit = 200_000

export interface ExportProgress {
  done: number
  total: number
}

/** All pages of one request, up to the limit. */
export async function collectPages(
  read: (page: number) => Promise<{ list: PropertyLogRow[]; total: number }>,
  limit: number,
  onProgress: (progress: ExportProgress) => void,
): Promise<{ rows: PropertyLogRow[]; total: number }> {
  const rows: PropertyLogRow[] = []
  for (let page = 1; ; page++) {
    const { list, total } = await read(page)
    rows.push(...list)
    onProgress({ done: Math.min(rows.length, limit), total: Math.min(total, limit) })
    // Aggregated answers are whole at once and say a total of 0 (http-api.md 4.4).
    if (list.length === 0 || rows.length >= total || rows.length >= limit) {
      return { rows: rows.slice(0, limit), total: Math.max(total, rows.length) }
    }
  }
}

/** Texts and groups are exported too, though they are not drawn. */
function bodiesOf(choice: HistoryChoice): { bodies: PropertyLogBody[]; interval: number } {
  const plan = planHistory(choice, Date.now())
  const rest = choice.properties.filter((property) => !isDrawable(property)).map(({ identifier }) => identifier)
  const raw = {
    productID: choice.productID,
    deviceNames: [...choice.deviceNames],
    dataIDs: rest,
    timeStart: plan.from,
    timeEnd: plan.to,
  }
  return { bodies: rest.length > 0 ? [...plan.requests, raw] : plan.requests, interval: plan.interval }
}

/** CSV of what is shown, read again from the server page by page. */
export function useHistoryExport(choice: HistoryChoice, name: string) {
  const { message, modal } = App.useApp()
  const [progress, setProgress] = useState<ExportProgress>()
  const abort = useRef<AbortController>(undefined)

  const run = async () => {
    const control = new AbortController()
    abort.current = control
    setProgress({ done: 0, total: 0 })
    try {
      const { bodies, interval } = bodiesOf(choice)
      const parts: string[] = []
      let left = exportLimit
      let missing = 0
      for (const body of bodies) {
        const read = (page: number) => readPropertyLog({ ...body, page: { page, size: maxRows } }, control.signal)
        const { rows, total } = await collectPages(read, left, setProgress)
        const func = body.interval && interval > 0 ? choice.func : undefined
        const text = historyCsv({ rows, properties: choice.properties, func })
        parts.push(parts.length === 0 ? text : text.slice(text.indexOf('\r\n') + 2))
        left -= rows.length
        missing += total - rows.length
      }
      downloadText(parts.join(''), `${name}-${dayjs().format('YYYYMMDD-HHmmss')}.csv`, 'text/csv')
      const count = exportLimit - left
      if (missing > 0) {
        modal.info({
          title: t('已导出前 {count, number} 条', { count }),
          content: t('还有 {count, number} 条，请缩小时间范围或选择统计周期后再导出。', { count: missing }),
        })
      } else void message.success(t('已导出 {count, number} 条', { count }))
    } catch (error) {
      if (control.signal.aborted) void message.info(t('已取消导出'))
      else modal.error({ title: t('导出失败'), content: describeError(error).reason })
    } finally {
      setProgress(undefined)
    }
  }
  return { run, progress, cancel: () => abort.current?.abort() }
}
