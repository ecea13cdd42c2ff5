import { type Job, JobStatus } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { isUnfinished, JobBar, JobFile, jobLooks, jobQuery } from '#blocks/job-progress.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import type { Opened } from '#kit/use-dialog.ts'
import { kindLabel } from '../labels.ts'

interface JobDrawerProps extends Opened {
  jobID: string | undefined
  onCancel: (job: Job) => void
  onRetry: (job: Job) => void
}

const factsOf = (job: Job): [string, ReactNode][] => [
  [t('状态'), <StatusTag key="status" looks={jobLooks} value={job.status} />],
  [t('类型'), kindLabel(job.kind)],
  [t('发起人'), job.userName || '—'],
  [t('执行次数'), job.attempts],
  [t('开始时间'), <TimeText key="from" value={job.createdTime} mode="exact" />],
  [t('结束时间'), <TimeText key="to" value={job.finishedTime} mode="exact" />],
  [t('任务编号'), <Copyable key="id" text={job.jobID} />],
]

/** One job followed live: facts, failure, file and what it found. */
export function JobDrawer({ jobID, open, onClose, onCancel, onRetry }: JobDrawerProps) {
  const query = useQuery({ ...jobQuery(jobID ?? ''), enabled: open && jobID !== undefined })
  const job = query.data
  const again = job?.status === JobStatus.failed || job?.status === JobStatus.cancelled
  return (
    <SideDrawer
      title={job?.title ?? t('任务详情')}
      open={open}
      onClose={onClose}
      width={560}
      keep
      footer={
        job && (
          <div className="form-buttons">
            <span className="form-footer-extra" />
            {again && <Button onClick={() => onRetry(job)}>{t('重试')}</Button>}
            {isUnfinished(job) && <Button onClick={() => onCancel(job)}>{t('取消任务')}</Button>}
            <Button onClick={onClose}>{t('关闭')}</Button>
          </div>
        )
      }
    >
      <Loaded query={query} subject={t('任务详情')} rows={6}>
        {(job) => (
          <div className="column gap-16">
            <JobBar job={job} />
            {job.error && (
              <Alert type={job.status === JobStatus.cancelled ? 'info' : 'error'} showIcon title={job.error} />
            )}
            <dl className="job-facts bare grid">
              {factsOf(job).map(([label, value]) => (
                <div key={label}>
                  <dt className="meta">{label}</dt>
                  <dd className="bare anywhere">{value}</dd>
                </div>
              ))}
            </dl>
            {job.fileName && (
              <div>
                <h3 className="subtitle below-8">{t('文件')}</h3>
                <JobFile job={job} />
              </div>
            )}
            {job.result && (
              <div>
                <h3 className="subtitle below-8">{t('结果')}</h3>
                <JsonView value={job.result} fileName={`${job.jobID}.json`} />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </SideDrawer>
  )
}
