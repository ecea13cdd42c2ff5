import { type Job, JobStatus } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { useState } from 'react'
import { isUnfinished } from '#blocks/job-progress.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import type { FilterField, FiltersOf, RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useMemo } from '#language/use-memo.ts'
import { jobStatusOptions, kindOptions } from '../labels.ts'
import { jobColumns } from '../parts/job-columns.tsx'
import { JobDrawer } from '../parts/job-drawer.tsx'
import '../parts/jobs.css'
import { jobsQuery, useJobWork } from '../queries.ts'

const filterFields = (): FilterField[] => [
  { name: 'title', label: t('任务', { context: 'job' }), control: 'text' },
  { name: 'status', label: t('状态'), control: 'select', options: jobStatusOptions },
  { name: 'kind', label: t('类型'), control: 'select', options: kindOptions, width: 160 },
]

/** Issue 3, 0: administrators see running and failed jobs of everybody. */
export function JobList() {
  const confirm = useConfirm()
  const work = useJobWork()
  const [shown, setShown] = useState<{ jobID: string; open: boolean }>()
  const open = (job: Job) => setShown({ jobID: job.jobID, open: true })
  const filters = useMemo(filterFields, [])
  const columns = useMemo(() => jobColumns((job) => setShown({ jobID: job.jobID, open: true })), [])

  const askCancel = (job: Job) =>
    confirm({
      title: t('取消任务「{title}」？', { title: job.title }),
      content: t('已经处理的部分保留，其余不再处理。'),
      danger: true,
      okText: t('取消任务', { context: 'job' }),
      onOk: () => work.cancel(job.jobID),
      done: t('已请求取消'),
    })
  const askRetry = (job: Job) =>
    confirm({
      title: t('重试任务「{title}」？', { title: job.title }),
      content: t('任务会重新排队，已经完成的部分不会重复处理。'),
      okText: t('重试'),
      onOk: () => work.retry(job.jobID),
      done: t('已重新排队'),
    })
  const actionsOf = (job: Job): RowAction[] => {
    const again = job.status === JobStatus.failed || job.status === JobStatus.cancelled
    return [
      { key: 'view', label: t('查看'), onClick: () => open(job) },
      ...(isUnfinished(job) ? [{ key: 'cancel', label: t('取消'), onClick: () => askCancel(job) }] : []),
      ...(again ? [{ key: 'retry', label: t('重试'), onClick: () => askRetry(job) }] : []),
    ]
  }

  return (
    <>
      <ListPage<Job, FiltersOf<typeof jobsQuery>>
        title={t('后台任务')}
        subtitle={t('导入、导出、批量操作等耗时较长的工作')}
        filters={filters}
        columns={columns}
        rowKey="jobID"
        storageKey="jobs"
        defaultSort="createdTime.2"
        query={({ page, filters: wanted }) => jobsQuery({ page, ...wanted })}
        rowActions={actionsOf}
        exportName={t('后台任务')}
        empty={{ title: t('还没有后台任务'), text: t('导入、导出和批量操作会出现在这里。') }}
      />
      <JobDrawer
        jobID={shown?.jobID}
        open={shown?.open ?? false}
        onClose={() => setShown((before) => before && { ...before, open: false })}
        onCancel={askCancel}
        onRetry={askRetry}
      />
    </>
  )
}
