import { DownloadOutlined } from '@ant-design/icons'
import { filteredResult, type rowResult } from '@ithings/contract/features/devices/bulk.ts'
import { type Job, JobStatus } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Button, Table } from 'antd'
import type * as z from 'zod'
import { useDevicesChanged } from '#blocks/device/queries.ts'
import { JobModal } from '#blocks/job-modal.tsx'
import { downloadText } from '#kit/download.ts'
import { parsedJson } from '#kit/json-object.ts'
import { toCsv } from '#kit/list-page/csv.ts'

type Row = z.output<typeof rowResult>

const heads = ['产品ID', '设备名称', '错误码', '原因']

/** Which rows failed and why; also as a file. */
export function BulkResult({ failed, name }: { failed: readonly Row[]; name: string }) {
  const save = () =>
    downloadText(
      toCsv([heads.map((head) => t(head)), ...failed.map((row) => [row.productID, row.deviceName, row.code, row.msg])]),
      t('{name}-失败.csv', { name }),
      'text/csv',
    )
  return (
    <div className="column gap-12">
      <Table<Row>
        size="small"
        rowKey={(row) => `${row.productID}/${row.deviceName}`}
        dataSource={[...failed]}
        pagination={failed.length > 10 ? { size: 'small', pageSize: 10, showSizeChanger: false } : false}
        columns={[
          { key: 'deviceName', title: t('设备名称'), dataIndex: 'deviceName', className: 'mono' },
          { key: 'msg', title: t('原因'), dataIndex: 'msg', className: 'tone-error' },
        ]}
      />
      <div>
        <Button icon={<DownloadOutlined />} onClick={save}>
          {t('下载失败的行')}
        </Button>
      </div>
    </div>
  )
}

/** What a finished job found; undefined: it failed early and found nothing. */
export function resultOf<S extends z.ZodType>(job: Pick<Job, 'status' | 'result'>, schema: S): z.output<S> | undefined {
  return job.status === JobStatus.done ? schema.safeParse(parsedJson(job.result)).data : undefined
}

/** Devices that went between the confirmation and their turn are neither done nor failed. */
export function outcomeText({ total, success, failedCount }: z.output<typeof filteredResult>): string {
  const gone = total - success - failedCount
  const parts = [
    t('{count, number} 台成功', { count: success }),
    failedCount > 0 && t('{count, number} 台失败', { count: failedCount }),
    gone > 0 && t('{count, number} 台已不存在', { count: gone }),
  ]
  return parts.filter(Boolean).join(t('，'))
}

function FilteredOutcome({ job, name }: { job: Job; name: string }) {
  const result = resultOf(job, filteredResult)
  if (!result) return null
  return (
    <>
      <Alert type={result.success < result.total ? 'warning' : 'success'} showIcon title={outcomeText(result)} />
      {result.failed.length > 0 && <BulkResult name={name} failed={result.failed} />}
    </>
  )
}

/** An act on all devices of a filter, followed to its end. */
export function BulkJob(props: { title: string; jobID: string; open: boolean; onClose: () => void }) {
  const changed = useDevicesChanged()
  return (
    <JobModal {...props} onEnd={() => void changed()}>
      {(job) => <FilteredOutcome job={job} name={props.title} />}
    </JobModal>
  )
}
