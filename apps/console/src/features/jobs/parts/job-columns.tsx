import { type Job, jobKindLabels } from '@ithings/contract/features/jobs.ts'
import { t } from '@ithings/contract/text.ts'
import { JobBar, jobLooks } from '#blocks/job-progress.tsx'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'

export const jobColumns = (onOpen: (job: Job) => void): ListColumn<Job>[] => [
  {
    key: 'title',
    title: t('任务', { context: 'job' }),
    dataIndex: 'title',
    hideable: false,
    phone: 'title',
    render: (_value, row) => (
      <button
        type="button"
        className="plain-button job-title link start cut"
        title={row.title}
        onClick={() => onOpen(row)}
      >
        {row.title}
      </button>
    ),
  },
  { key: 'kind', title: t('类型'), sorter: true, phone: 'subtitle', labels: jobKindLabels },
  { key: 'status', title: t('状态'), sorter: true, phone: 'status', looks: jobLooks },
  {
    key: 'progress',
    title: t('进度'),
    phone: 'meta',
    render: (_value, row) => <JobBar job={row} />,
    exportText: (row) => `${row.done}/${row.total}`,
    fields: { done: t('完成数'), total: t('总数') },
  },
  { key: 'userName', title: t('发起人'), dataIndex: 'userName', phone: 'meta' },
  { key: 'createdTime', title: t('开始时间'), sorter: true, phone: 'meta', time: 'relative' },
  { key: 'finishedTime', title: t('结束时间'), sorter: true, time: 'relative' },
  {
    key: 'error',
    title: t('原因'),
    dataIndex: 'error',
    truncate: 220,
  },
  {
    key: 'jobID',
    title: t('任务编号'),
    hiddenAtFirst: true,
    render: (_value, row) => <Copyable text={row.jobID} maxWidth={180} />,
    exportText: (row) => row.jobID,
  },
]
