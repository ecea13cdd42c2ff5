import { DownloadOutlined } from '@ant-design/icons'
import { exportOperationLogs } from '@ithings/contract/features/logs.ts'
import { Button, Tooltip } from 'antd'
import { call } from '#api/call.ts'
import { useExportJob } from '#blocks/use-export-job.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { May } from '#kit/rights.tsx'
import { dateRangeOf } from '../log-period.ts'
import type { OperationLogFilter } from '../queries.ts'

/** What the list is filtered by as a file: the whole of it, with the hash of every entry. */
export function OperationLogExport({ filters }: { filters: FilterField[] }) {
  const [{ filters: texts }] = useListState(filters, '', undefined)
  const { start, modal } = useExportJob('导出操作日志', () => {
    const { time, ...filter } = readFilters(filters, texts) as OperationLogFilter
    return call(exportOperationLogs, { ...filter, dateRange: dateRangeOf(time) }, { quiet: true })
  })
  return (
    <May needs={exportOperationLogs}>
      <Tooltip title="导出当前筛选结果">
        <Button type="text" icon={<DownloadOutlined />} aria-label="导出" onClick={() => void start()} />
      </Tooltip>
      {modal}
    </May>
  )
}
