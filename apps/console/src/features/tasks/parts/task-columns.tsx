import {
  type DeviceTask,
  deployStatusLabels,
  TaskSchedule,
  taskScheduleLabels,
  taskTypeLabels,
} from '@ithings/contract/features/tasks.ts'
import { Tooltip } from 'antd'
import { Link } from 'react-router'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { deployLooks } from '../labels.ts'
import { isDisabled, scheduleText, statusNote, targetText } from '../task-words.ts'
import { CronWords } from './cron-words.tsx'
import { TaskProgress } from './task-progress.tsx'
import './tasks.css'

const productPath = (productID: string) => `/deviceMangers/product/detail/${encodeURIComponent(productID)}`

export function Schedule({ task }: { task: DeviceTask }) {
  if (task.scheduleType !== TaskSchedule.cron) {
    if (task.scheduleType !== TaskSchedule.once) return <>{labelOf(taskScheduleLabels, task.scheduleType)}</>
    return <Tooltip title={formatTime(task.runAt)}>定时 {formatTime(task.runAt, 'MM-DD HH:mm')}</Tooltip>
  }
  return (
    <Tooltip title={<CronWords cron={task.cron} />}>
      <span className="task-cron">
        周期 <span className="mono">{task.cron}</span>
      </span>
    </Tooltip>
  )
}

export function TaskStatus({ task }: { task: DeviceTask }) {
  const note = statusNote(task)
  return (
    <span className="task-status">
      <StatusTag looks={deployLooks} value={task.status} />
      {note && (
        <span className="meta task-note" title={note}>
          {note}
        </span>
      )}
    </span>
  )
}

/** @param open shows a task in its drawer */
export const taskColumns = (open: (task: DeviceTask) => void): ListColumn<DeviceTask>[] => [
  {
    key: 'taskName',
    title: '任务名称',
    dataIndex: 'taskName',
    sorter: true,
    hideable: false,
    truncate: 220,
    phone: 'title',
    render: (_value, task) => (
      <button type="button" className="plain-button task-link" onClick={() => open(task)}>
        {task.taskName}
      </button>
    ),
  },
  // Before what may be pushed out of sight by the fixed column of actions.
  {
    key: 'status',
    title: '状态',
    className: 'task-tight',
    sorter: true,
    phone: 'status',
    render: (_value, task) => <TaskStatus task={task} />,
    exportText: (task) => [labelOf(deployStatusLabels, task.status), statusNote(task)].filter(Boolean).join(' '),
  },
  {
    key: 'progress',
    title: '进度',
    className: 'task-tight',
    phone: 'subtitle',
    render: (_value, task) => <TaskProgress task={task} label={task.taskName} />,
    exportText: (task) => `成功 ${task.success} 失败 ${task.failed} / ${task.total}`,
  },
  {
    key: 'taskType',
    title: '任务类型',
    phone: 'meta',
    render: (_value, task) => <StatusTag filled text={labelOf(taskTypeLabels, task.taskType)} tone="default" />,
    exportText: (task) => labelOf(taskTypeLabels, task.taskType),
  },
  {
    key: 'product',
    title: '产品',
    dataIndex: 'productName',
    truncate: 140,
    phone: 'subtitle',
    render: (_value, task) => (
      <Link className="task-product" to={productPath(task.productID)}>
        {task.productName || task.productID}
      </Link>
    ),
    exportText: (task) => task.productName || task.productID,
  },
  {
    key: 'target',
    title: '目标',
    phone: 'meta',
    render: (_value, task) => (
      <span className="cell-truncate task-target" title={targetText(task)}>
        {targetText(task)}
      </span>
    ),
    exportText: targetText,
  },
  {
    key: 'schedule',
    title: '执行方式',
    phone: 'meta',
    render: (_value, task) => <Schedule task={task} />,
    exportText: scheduleText,
  },
  {
    key: 'lastRunTime',
    title: '最近执行',
    sorter: true,
    phone: 'hide',
    render: (_value, task) => <TimeText value={task.lastRunTime} />,
    exportText: (task) => formatTime(task.lastRunTime),
  },
  {
    key: 'nextRunTime',
    title: '下次执行',
    sorter: true,
    phone: 'hide',
    render: (_value, task) =>
      isDisabled(task) ? <span className="no-value">—</span> : <TimeText value={task.nextRunTime} />,
    exportText: (task) => formatTime(task.nextRunTime),
  },
  // With them the rest would not fit beside the pinned column on a screen of 1440.
  { key: 'createdBy', title: '创建人', dataIndex: 'createdBy', phone: 'hide', truncate: 120, hiddenAtFirst: true },
  {
    key: 'createdTime',
    title: '创建时间',
    sorter: true,
    phone: 'hide',
    hiddenAtFirst: true,
    render: (_value, task) => <TimeText value={task.createdTime} />,
    exportText: (task) => formatTime(task.createdTime),
  },
]
