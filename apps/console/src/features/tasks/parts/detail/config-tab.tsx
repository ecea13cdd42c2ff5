import { TaskSchedule, TaskTarget, TaskType, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { JsonView } from '#kit/json-view.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime, zoneLabel } from '#kit/time.ts'
import type { TaskDetail } from '../../draft/task-draft.ts'
import { offlineLabels } from '../../labels.ts'
import { targetText } from '../../task-words.ts'
import { CronWords } from '../cron-words.tsx'

type Row = readonly [string, ReactNode]
const shownNames = 20

function Names({ names }: { names: readonly string[] }) {
  const [all, setAll] = useState(false)
  return (
    <span className="config-names flex wrap">
      {(all ? names : names.slice(0, shownNames)).map((name) => (
        <span key={name} className="mono">
          {name}
        </span>
      ))}
      {!all && names.length > shownNames && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          显示全部 {names.length.toLocaleString()} 台
        </Button>
      )}
    </span>
  )
}

function contentRows(task: TaskDetail): Row[] {
  if (task.taskType === TaskType.config) return [['配置版本', `#${task.configID}`]]
  if (task.taskType === TaskType.action) {
    return [
      [
        '行为',
        <span key="action" className="mono">
          {task.actionID}
        </span>,
      ],
      ['参数', <JsonView key="input" value={task.inputParams || '{}'} />],
    ]
  }
  return [
    ['属性', <JsonView key="data" value={task.data} />],
    ['离线策略', labelOf(offlineLabels, task.shadowControl)],
  ]
}

function scheduleRows(task: TaskDetail): Row[] {
  if (task.scheduleType === TaskSchedule.now) return [['执行方式', '立即']]
  if (task.scheduleType === TaskSchedule.once) {
    return [['执行方式', `定时一次，${formatTime(task.runAt)}（${zoneLabel()}）`]]
  }
  const { validStart, validEnd } = task
  return [
    [
      '执行方式',
      <span key="cron">
        周期 <span className="mono">{task.cron}</span>，<CronWords cron={task.cron} />
      </span>,
    ],
    ['有效期', validStart || validEnd ? `${formatTime(validStart)} 至 ${formatTime(validEnd)}` : '不限'],
    ['下次执行', formatTime(task.nextRunTime)],
  ]
}

/** screens.md 7.2 任务配置: payload, target and schedule, to read. */
export function ConfigTab({ task }: { task: TaskDetail }) {
  const target = `${targetText(task)}${task.targetType === TaskTarget.group && task.includeChildren ? '，含子分组' : ''}`
  const rows: Row[] = [
    ['任务类型', labelOf(taskTypeLabels, task.taskType)],
    ['产品', task.productName || task.productID],
    ...(task.desc ? [['说明', task.desc] as const] : []),
    ['目标', `${target}${task.onlineOnly ? '，仅在线设备' : ''}`],
    ...(task.targetType === TaskTarget.devices
      ? [['设备', <Names key="names" names={task.deviceNames} />] as const]
      : []),
    ...contentRows(task),
    ...scheduleRows(task),
    ['下发速率', `${task.rate.toLocaleString()} 台/分钟`],
    ['单设备超时', `${task.timeout} 秒`],
    ['失败重试', task.retryCount > 0 ? `${task.retryCount} 次，间隔 ${task.retryInterval} 秒` : '不重试'],
    ['失败率熔断', task.failStop > 0 ? `达到 ${task.failStop}% 停止下发` : '关闭'],
    ['创建', `${task.createdBy}，${formatTime(task.createdTime)}`],
  ]
  return (
    <dl className="task-config bare">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
