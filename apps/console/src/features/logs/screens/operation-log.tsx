import { exportOperationLogs, listOperationLogs, type OperationLog } from '@ithings/contract/features/logs.ts'
import { t } from '@ithings/contract/text.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { businessTypeOptions } from '#blocks/business-type.tsx'
import { ExportButton } from '#kit/export-button.tsx'
import type { FilterField, ListResult } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useMemo } from '#language/use-memo.ts'
import { resultOptions } from '../labels.ts'
import { neighboursOf } from '../log-neighbours.ts'
import '../parts/logs.css'
import { call } from '#api/call.ts'
import { useExportJob } from '#blocks/use-export-job.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { May } from '#kit/rights.tsx'
import { dateRangeOf } from '../log-period.ts'
import { operationLogColumns } from '../parts/operation-log-columns.tsx'
import { OperationLogDetail } from '../parts/operation-log-detail.tsx'
import { periodFilter } from '../parts/period-filter.tsx'
import { RetentionNote } from '../parts/retention-note.tsx'
import { type OperationLogFilter, operationLogsQuery, retentionQuery } from '../queries.ts'

/** What the list is filtered by as a file: the whole of it, with the hash of every entry. */
function OperationLogExport({ filters }: { filters: FilterField[] }) {
  const [{ filters: texts }] = useListState(filters, '', undefined)
  const { start, modal } = useExportJob(t('导出操作日志'), (format) => {
    const { time, ...filter } = readFilters(filters, texts) as OperationLogFilter
    return call(exportOperationLogs, { ...filter, dateRange: dateRangeOf(time), format }, { quiet: true })
  })
  return (
    <May needs={exportOperationLogs}>
      <ExportButton type="text" onPick={(format) => void start(format)} />
      {modal}
    </May>
  )
}

// Without the setting (no right to read it) a range may reach a year back.
const usualDays = 365

const filtersFor = (days: number): FilterField[] => [
  { name: 'operName', label: t('操作名称'), control: 'text', width: 160 },
  { name: 'operUserName', label: t('操作人员'), control: 'text', width: 160 },
  { name: 'businessType', label: t('业务类型'), control: 'select', options: businessTypeOptions, width: 100 },
  periodFilter(t('操作时间'), days),
  { name: 'result', label: t('结果'), control: 'select', options: resultOptions, width: 100, advanced: true },
  { name: 'uri', label: t('请求地址'), control: 'text', advanced: true },
  {
    name: 'operIpAddr',
    label: t('操作 IP'),
    control: 'text',
    placeholder: t('输入 IP 地址'),
    width: 160,
    advanced: true,
  },
  { name: 'requestID', label: t('请求编号'), control: 'text', advanced: true },
]

/** The rows on screen: the arrows of the detail follow them. */
function shownRows(client: QueryClient): OperationLog[] {
  const queries = client.getQueryCache().findAll({ queryKey: [listOperationLogs.path], type: 'active' })
  return queries.flatMap((query) => (query.state.data as ListResult<OperationLog> | undefined)?.list ?? [])
}

/** screens.md 17: who changed what, with request, answer and duration. */
export function OperationLogList() {
  const client = useQueryClient()
  const { data: settings } = useQuery(retentionQuery)
  const days = settings?.operationLogDays ?? usualDays
  const filters = useMemo(() => filtersFor(days), [days])
  const [log, setLog] = useState<OperationLog>()
  const [open, setOpen] = useState(false)

  const show = (row: OperationLog) => {
    setLog(row)
    setOpen(true)
  }

  return (
    <>
      <ListPage<OperationLog, OperationLogFilter>
        title={t('操作日志')}
        subtitle={<RetentionNote days={settings?.operationLogDays} />}
        index
        filters={filters}
        columns={operationLogColumns(show)}
        rowKey="id"
        storageKey="operation-logs"
        query={({ page, filters: wanted }) => operationLogsQuery(page, wanted)}
        rowActions={(row) => [{ key: 'view', label: t('查看'), onClick: () => show(row) }]}
        toolbarExtra={<OperationLogExport filters={filters} />}
        empty={{ title: t('这段时间没有操作记录'), text: t('新增、修改、删除等操作会记录在这里；查询不记录。') }}
      />
      <OperationLogDetail
        log={log}
        open={open}
        neighbours={log && neighboursOf(shownRows(client), log.id)}
        onShow={setLog}
        onClose={() => setOpen(false)}
      />
    </>
  )
}
