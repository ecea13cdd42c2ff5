import type { TaskRun } from '@ithings/contract/features/task-results.ts'
import { deployStatusLabels } from '@ithings/contract/features/tasks.ts'
import { useMemo } from 'react'
import { useLivePolling } from '#api/live.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { deployLooks, triggerLabels } from '../../labels.ts'
import { taskRunsQuery } from '../../queries.ts'
import { TaskProgress } from '../task-progress.tsx'
import { runsPrefix } from './detail-url.ts'

const runColumns = (onRun: (runID: string) => void): ListColumn<TaskRun>[] => [
  {
    key: 'runID',
    title: '批次',
    dataIndex: 'runID',
    hideable: false,
    phone: 'title',
    render: (_value, { runID }) => (
      <button type="button" className="plain-button task-link mono" onClick={() => onRun(runID)}>
        {runID}
      </button>
    ),
  },
  {
    key: 'status',
    title: '状态',
    className: 'task-tight',
    phone: 'status',
    render: (_value, run) => (
      <span className="task-status">
        <StatusTag looks={deployLooks} value={run.status} />
        {run.reason && (
          <span className="meta task-note" title={run.reason}>
            {run.reason}
          </span>
        )}
      </span>
    ),
    exportText: (run) => [labelOf(deployStatusLabels, run.status), run.reason].filter(Boolean).join(' '),
  },
  {
    key: 'startedTime',
    title: '开始',
    phone: 'meta',
    render: (_value, run) => <TimeText value={run.startedTime} mode="exact" />,
    exportText: (run) => formatTime(run.startedTime),
  },
  {
    key: 'finishedTime',
    title: '结束',
    phone: 'meta',
    render: (_value, run) => <TimeText value={run.finishedTime} mode="exact" />,
    exportText: (run) => formatTime(run.finishedTime),
  },
  {
    key: 'progress',
    title: '总 / 成功 / 失败',
    className: 'task-tight',
    phone: 'subtitle',
    render: (_value, run) => <TaskProgress task={run} label={`批次 ${run.runID}`} />,
    exportText: (run) => `${run.total} / ${run.success} / ${run.failed}`,
  },
  {
    key: 'trigger',
    title: '触发',
    phone: 'meta',
    render: (_value, run) => labelOf(triggerLabels, run.trigger),
    exportText: (run) => labelOf(triggerLabels, run.trigger),
  },
]

/** screens.md 7.2 执行记录. */
export function RunsTab({ taskID, onRun }: { taskID: number; onRun: (runID: string) => void }) {
  const refetchInterval = useLivePolling()
  const columns = useMemo(() => runColumns(onRun), [onRun])
  return (
    <ListPage<TaskRun>
      embedded
      title="执行记录"
      urlPrefix={runsPrefix}
      columns={columns}
      rowKey="runID"
      storageKey="task-runs"
      exportName="任务执行记录"
      query={({ page }) => ({ ...taskRunsQuery({ taskID, page }), refetchInterval })}
      rowActions={(run) => [{ key: 'devices', label: '查看设备', onClick: () => onRun(run.runID) }]}
      empty={{ title: '还没有执行', text: '到了执行时间，或点击「立即执行」之后，每次执行列在这里。' }}
    />
  )
}
