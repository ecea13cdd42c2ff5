import { type DeviceTask, TaskSchedule, taskScheduleLabels, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Tooltip } from 'antd'
import { none, ProductLink, ProgressCell, stateColumn, textColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { numberText } from '#kit/number-text.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { deployLooks } from '../labels.ts'
import { isDisabled, progressParts, scheduleText, statusNote, targetText } from '../task-words.ts'
import { CronWords } from './task-facts.tsx'

type Counted = Parameters<typeof progressParts>[0]

/** screens.md 7: a stacked bar, 成功 80 失败 3 / 100. */
export function TaskProgress({ task, label }: { task: Counted; label: string }) {
  if (task.total === 0) return none
  return (
    <ProgressCell parts={progressParts(task)} total={task.total} label={label}>
      <span className="quiet">
        {t('成功')} <span className="tone-success">{numberText(task.success)}</span>
        {task.failed > 0 && (
          <>
            {' '}
            {t('失败')} <span className="tone-error">{numberText(task.failed)}</span>
          </>
        )}{' '}
        / {numberText(task.total)}
      </span>
    </ProgressCell>
  )
}

function Schedule({ task }: { task: DeviceTask }) {
  if (task.scheduleType === TaskSchedule.once)
    return (
      <Tooltip title={formatTime(task.runAt)}>
        {t('定时 {time}', { time: formatTime(task.runAt, 'MM-DD HH:mm') })}
      </Tooltip>
    )
  if (task.scheduleType !== TaskSchedule.cron) return <>{labelOf(taskScheduleLabels, task.scheduleType)}</>
  return (
    <Tooltip title={<CronWords cron={task.cron} />}>
      <span className="inline-row gap-4">
        {t('周期')} <span className="mono">{task.cron}</span>
      </span>
    </Tooltip>
  )
}

/** @param open shows a task in its drawer */
export const taskColumns = (open: (task: DeviceTask) => void): ListColumn<DeviceTask>[] => [
  {
    key: 'taskName',
    title: t('任务名称'),
    dataIndex: 'taskName',
    sorter: true,
    hideable: false,
    truncate: 220,
    phone: 'title',
    render: (_value, task) => (
      <button
        type="button"
        className="plain-button rollout-name cut start link inline-block"
        onClick={() => open(task)}
      >
        {task.taskName}
      </button>
    ),
  },
  // Before what may be pushed out of sight by the fixed column of actions.
  stateColumn(deployLooks, ({ status }) => status, { note: statusNote }),
  {
    key: 'progress',
    title: t('进度'),
    className: 'two-lines',
    phone: 'subtitle',
    render: (_value, task) => <TaskProgress task={task} label={task.taskName} />,
    exportText: (task) =>
      t('成功 {success} 失败 {failed} / {total}', { success: task.success, failed: task.failed, total: task.total }),
  },
  textColumn('taskType', t('任务类型'), ({ taskType }) => labelOf(taskTypeLabels, taskType), {
    render: (_value, { taskType }) => <StatusTag filled text={labelOf(taskTypeLabels, taskType)} tone="default" />,
  }),
  {
    key: 'product',
    title: t('产品'),
    dataIndex: 'productName',
    truncate: 140,
    phone: 'subtitle',
    render: (_value, task) => <ProductLink of={task} />,
    exportText: (task) => task.productName || task.productID,
  },
  textColumn('target', t('目标'), targetText, { truncate: 180 }),
  textColumn('schedule', t('执行方式'), scheduleText, { render: (_value, task) => <Schedule task={task} /> }),
  timeColumn('lastRunTime', t('最近执行', { context: 'time' })),
  timeColumn('nextRunTime', t('下次执行'), {
    render: (_value, task) => (isDisabled(task) ? none : <TimeText value={task.nextRunTime} />),
  }),
  // With them the rest would not fit beside the pinned column on a screen of 1440.
  { key: 'createdBy', title: t('创建人'), dataIndex: 'createdBy', phone: 'hide', truncate: 120, hiddenAtFirst: true },
  timeColumn('createdTime', t('创建时间'), { hiddenAtFirst: true }),
]
