import { App, Button } from 'antd'
import dayjs from 'dayjs'
import { useRef, useState } from 'react'
import type { HubLogFilters, LogScope } from '#blocks/log-table/log-query.ts'
import { downloadText } from '#kit/download.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { readAll } from '../queries.ts'

interface JsonExportProps {
  scope: LogScope
  filters: HubLogFilters
}

/** Beside the list's own CSV: for programs. A second click gives up. */
export function JsonExport({ scope, filters }: JsonExportProps) {
  const { message } = App.useApp()
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController>(null)
  const save = async () => {
    const control = new AbortController()
    abort.current = control
    setBusy(true)
    try {
      const rows = await readAll(scope, filters, control.signal)
      downloadText(JSON.stringify(rows, null, 2), `日志-${dayjs().format('YYYYMMDD-HHmmss')}.json`)
      void message.success(`已导出 ${rows.length.toLocaleString()} 条`)
    } catch (error) {
      if (control.signal.aborted) void message.info('已取消导出')
      else void message.error(`导出失败：${describeError(error).reason}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button type="text" size="small" onClick={() => (busy ? abort.current?.abort() : void save())}>
      {busy ? '取消导出' : '导出 JSON'}
    </Button>
  )
}
