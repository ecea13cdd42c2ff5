/** Long work of the platform: how it stands, in one line or followed to its end. */

import { DownloadOutlined } from '@ant-design/icons'
import { cancelJob, type Job, JobStatus, jobStatusLabels, readJob } from '@ithings/contract/features/jobs.ts'
import { jobTopic } from '@ithings/contract/features/live.ts'
import { t } from '@ithings/contract/text.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Progress } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { fallbackPace, useLive, useLiveConnected } from '#api/live.ts'
import { downloadByLink } from '#kit/download.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { QueryError } from '#kit/states/loaded.tsx'
import { type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import './job-progress.css'
import { numberText } from '#kit/number-text.ts'

export const jobLooks: StatusLooks = {
  [JobStatus.waiting]: { text: jobStatusLabels[JobStatus.waiting], tone: 'default' },
  [JobStatus.running]: { text: jobStatusLabels[JobStatus.running], tone: 'processing' },
  [JobStatus.done]: { text: jobStatusLabels[JobStatus.done], tone: 'success' },
  [JobStatus.failed]: { text: jobStatusLabels[JobStatus.failed], tone: 'error' },
  [JobStatus.cancelled]: { text: jobStatusLabels[JobStatus.cancelled], tone: 'default' },
}

export const isUnfinished = (job: Pick<Job, 'status'>): boolean =>
  job.status === JobStatus.waiting || job.status === JobStatus.running

/** Without notices of the server it is read this often. */
const followPace = 1000

/** Read again until it has ended. */
export const jobQuery = (jobID: string, pace = followPace) =>
  queryOptions({
    ...endpointQuery(readJob, { jobID }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data) ? pace : false),
  })

/** 1,204 / 10,000, or nothing while the whole is unknown. */
export const countText = ({ done, total }: Pick<Job, 'done' | 'total'>): string =>
  total > 0 ? `${numberText(done)} / ${numberText(total)}` : ''

const barStatus = (job: Job) => {
  if (job.status === JobStatus.failed) return 'exception'
  if (job.status === JobStatus.done) return 'success'
  return job.status === JobStatus.running ? 'active' : 'normal'
}

export function JobBar({ job }: { job: Job }) {
  return (
    <span className="job-bar row gap-12">
      <Progress
        percent={job.progress}
        size="small"
        status={barStatus(job)}
        aria-label={t('{title}的进度', { title: job.title })}
      />
      {countText(job) && <span className="meta">{countText(job)}</span>}
    </span>
  )
}

/** The link inside is signed and short-lived, so the job is read anew before the download. */
export function JobFile({ job }: { job: Pick<Job, 'jobID' | 'fileName'> }) {
  const client = useQueryClient()
  const fetchFile = useMutation({
    mutationFn: () => client.fetchQuery({ ...jobQuery(job.jobID), staleTime: 0 }),
    onSuccess: (latest) => downloadByLink(latest.fileUri, latest.fileName),
  })
  if (!job.fileName) return null
  return (
    <span className="job-file inline-row wrap">
      <Button type="link" icon={<DownloadOutlined />} loading={fetchFile.isPending} onClick={() => fetchFile.mutate()}>
        {job.fileName}
      </Button>
      {fetchFile.isError && <span className="tone-error">{describeError(fetchFile.error).reason}</span>}
    </span>
  )
}

export interface JobProgressProps {
  jobID: string
  /** Called once when the job has ended, however. */
  onEnd?: (job: Job) => void
  /** Shows 后台运行: closes what holds this, the job goes on. */
  onLeave?: () => void
  /** What the job found, in the words of the feature that started it. */
  children?: (job: Job) => ReactNode
}

/** Follows one job: bar, count, cancel, its file; it may be left running. */
export function JobProgress({ jobID, onEnd, onLeave, children }: JobProgressProps) {
  useLive(jobTopic(jobID), { info: [jobQuery(jobID).queryKey] })
  const query = useQuery(jobQuery(jobID, useLiveConnected() ? fallbackPace : followPace))
  const cancel = useMutation({
    mutationFn: () => call(cancelJob, { jobID }, { quiet: true }),
    onSettled: () => query.refetch(),
  })
  const job = query.data
  const ended = useRef(false)
  const tell = useRef(onEnd)
  tell.current = onEnd
  useEffect(() => {
    if (!job || isUnfinished(job) || ended.current) return
    ended.current = true
    tell.current?.(job)
  }, [job])

  if (!job && query.isError) return <QueryError compact subject={t('任务进度')} query={query} />
  if (!job) return <Progress percent={0} size="small" aria-label={t('任务进度')} />
  const going = isUnfinished(job)
  return (
    <div className="job-progress column gap-12" aria-live="polite">
      <div className="row wrap between gap-8">
        <span className="bold">{job.title}</span>
        <StatusTag looks={jobLooks} value={job.status} />
      </div>
      <JobBar job={job} />
      {job.error && job.status === JobStatus.failed && <Alert type="error" showIcon title={job.error} />}
      {cancel.isError && <Alert type="error" showIcon title={describeError(cancel.error).reason} />}
      {!going && children?.(job)}
      <div className="row wrap gap-8">
        {going && onLeave && <Button onClick={onLeave}>{t('后台运行')}</Button>}
        {going && (
          <Button loading={cancel.isPending} disabled={cancel.isSuccess} onClick={() => cancel.mutate()}>
            {cancel.isSuccess ? t('正在取消') : t('取消任务')}
          </Button>
        )}
        {!going && <JobFile job={job} />}
      </div>
      {going && onLeave && <span className="meta">{t('关闭后任务继续运行，管理员可在“后台任务”中查看。')}</span>}
    </div>
  )
}
