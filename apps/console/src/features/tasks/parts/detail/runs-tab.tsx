import type { TaskRun } from '@ithings/contract/features/task-results.ts'
import { t } from '@ithings/contract/text.ts'
import { useLivePolling } from '#api/live.ts'
import { stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { useMemo } from '#language/use-memo.ts'
import { deployLooks, triggerLabels } from '../../labels.ts'
import { taskRunsQuery } from '../../queries.ts'
import { TaskProgress } from '../task-columns.tsx'
import { runsPrefix } from './detail-url.ts'

const runColumns = (onRun: (runID: string) => void): ListColumn<TaskRun>[] => [
  {
    key: 'runID',
    title: t('批次'),
    dataIndex: 'runID',
    hideable: false,
    phone: 'title',
    render: (_value, { runID }) => (
      <button
        type="button"
        className="plain-button rollout-name cut start link inline-block mono"
        onClick={() => onRun(runID)}
      >
        {runID}
      </button>
    ),
  },
  stateColumn(deployLooks, ({ status }) => status, { sorter: false, note: ({ reason }) => reason }),
  timeColumn('startedTime', t('开始', { context: 'past' }), { mode: 'exact', sorter: false, phone: 'meta' }),
  timeColumn('finishedTime', t('结束', { context: 'past' }), { mode: 'exact', sorter: false, phone: 'meta' }),
  {
    key: 'progress',
    title: t('总 / 成功 / 失败'),
    className: 'two-lines',
    phone: 'subtitle',
    render: (_value, run) => <TaskProgress task={run} label={t('批次 {runID}', { runID: run.runID })} />,
    exportText: (run) => `${run.total} / ${run.success} / ${run.failed}`,
  },
  textColumn('trigger', t('触发'), ({ trigger }) => labelOf(triggerLabels, trigger)),
]

/** screens.md 7.2 执行记录. */
export function RunsTab({ taskID, onRun }: { taskID: number; onRun: (runID: string) => void }) {
  const refetchInterval = useLivePolling()
  const columns = useMemo(() => runColumns(onRun), [onRun])
  return (
    <ListPage<TaskRun>
      embedded
      title={t('执行记录')}
      urlPrefix={runsPrefix}
      columns={columns}
      rowKey="runID"
      storageKey="task-runs"
      exportName={t('任务执行记录')}
      query={({ page }) => ({ ...taskRunsQuery({ taskID, page }), refetchInterval })}
      rowActions={(run) => [
        { key: 'devices', label: t('查看设备', { context: 'many' }), onClick: () => onRun(run.runID) },
      ]}
      empty={{ title: t('还没有执行'), text: t('到了执行时间，或点击「立即执行」之后，每次执行列在这里。') }}
    />
  )
}
