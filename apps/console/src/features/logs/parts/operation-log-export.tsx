import { DownloadOutlined } from '@ant-design/icons'
import { exportOperationLogs } from '@ithings/contract/features/logs.ts'
import { App, Button, Tooltip } from 'antd'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { JobModal } from '#blocks/job-modal.tsx'
import { readFilters } from '#kit/list-page/filter-values.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { useListState } from '#kit/list-page/use-list-state.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { dateRangeOf } from '../log-period.ts'
import type { OperationLogFilter } from '../queries.ts'

/** What the list is filtered by as a file, made by a job: the whole of it, with the hash of every entry. */
export function OperationLogExport({ filters }: { filters: FilterField[] }) {
  const { message } = App.useApp()
  const [{ filters: texts }] = useListState(filters, '', undefined)
  const [job, setJob] = useState<{ jobID: string; open: boolean }>()
  const start = async () => {
    const { time, ...filter } = readFilters(filters, texts) as OperationLogFilter
    try {
      const body = { ...filter, dateRange: dateRangeOf(time) }
      const { jobID } = await call(exportOperationLogs, body, { quiet: true })
      setJob({ jobID, open: true })
    } catch (error) {
      void message.error(`导出失败：${describeError(error).reason}`)
    }
  }
  return (
    <>
      <Tooltip title="导出当前筛选结果">
        <Button type="text" icon={<DownloadOutlined />} aria-label="导出" onClick={() => void start()} />
      </Tooltip>
      {job && (
        <JobModal
          key={job.jobID}
          title="导出操作日志"
          jobID={job.jobID}
          open={job.open}
          onClose={() => setJob({ ...job, open: false })}
        />
      )}
    </>
  )
}
