import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Progress } from 'antd'
import dayjs from 'dayjs'
import { useRef, useState } from 'react'
import { downloadText } from '#kit/download.ts'
import { describeError } from '#kit/states/describe-error.ts'
import type { ListColumn, ListPaging, ListQuery } from './list-contract.ts'
import { collectRows, type ExportProgress, exportLimit, rowsToCsv } from './run-export.ts'

interface ExportInput<T> {
  name: string
  columns: readonly ListColumn<T>[]
  query: (page: ListPaging) => ListQuery<T>
  orders: ListPaging['orders']
}

/** CSV of the current filter or of given rows, with progress and a way out. */
export function useExport<T extends object>({ name, columns, query, orders }: ExportInput<T>) {
  const client = useQueryClient()
  const { message, modal } = App.useApp()
  const [progress, setProgress] = useState<ExportProgress>()
  const abort = useRef<AbortController>(null)

  const save = (rows: readonly T[]) =>
    downloadText(rowsToCsv(columns, rows), `${name}-${dayjs().format('YYYYMMDD-HHmmss')}.csv`, 'text/csv')

  const exportAll = async () => {
    const control = new AbortController()
    abort.current = control
    setProgress({ done: 0, total: 0 })
    try {
      const { rows, total } = await collectRows({
        client,
        query,
        orders,
        signal: control.signal,
        onProgress: setProgress,
      })
      save(rows)
      if (total > exportLimit) {
        modal.info({
          title: t('已导出前 10,000 条'),
          content: t('共 {count, number} 条，请缩小筛选范围后分次导出。', { count: total }),
        })
      } else void message.success(t('已导出 {count, number} 条', { count: rows.length }))
    } catch (error) {
      if (control.signal.aborted) void message.info(t('已取消导出'))
      else modal.error({ title: t('导出失败'), content: describeError(error).reason })
    } finally {
      setProgress(undefined)
    }
  }
  return { exportAll, exportRows: save, progress, cancel: () => abort.current?.abort() }
}

export function ExportProgressBar({ progress, onCancel }: { progress: ExportProgress; onCancel: () => void }) {
  const percent = progress.total ? Math.floor((progress.done / progress.total) * 100) : 0
  return (
    <span className="export-progress row gap-8" role="status">
      <Progress percent={percent} size="small" showInfo={false} aria-label={t('导出进度')} />
      <span className="meta">
        {progress.total > 0
          ? t('已读取 {done, number} / {total, number} 条', { done: progress.done, total: progress.total })
          : t('已读取 {done, number} 条', { done: progress.done })}
      </span>
      <Button type="text" size="small" onClick={onCancel}>
        {t('取消导出')}
      </Button>
    </span>
  )
}
