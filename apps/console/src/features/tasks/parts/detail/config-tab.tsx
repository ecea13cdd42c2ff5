import { TaskTarget, TaskType, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { type FactRow, Facts } from '#blocks/rollout/wizard.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import type { TaskDetail } from '../../draft/task-draft.ts'
import { offlineLabels } from '../../labels.ts'
import { isCron, targetText } from '../../task-words.ts'
import { limitRows, scheduleRows } from '../task-facts.tsx'

const shownNames = 20

function Names({ names }: { names: readonly string[] }) {
  const [all, setAll] = useState(false)
  return (
    <span className="gap-4-12 flex wrap">
      {(all ? names : names.slice(0, shownNames)).map((name) => (
        <span key={name} className="mono">
          {name}
        </span>
      ))}
      {!all && names.length > shownNames && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          {t('显示全部 {count, number} 台', { count: names.length })}
        </Button>
      )}
    </span>
  )
}

function contentRows(task: TaskDetail): FactRow[] {
  if (task.taskType === TaskType.config) return [[t('配置版本'), `#${task.configID}`]]
  if (task.taskType === TaskType.property) {
    return [
      [t('属性'), <JsonView key="data" value={task.data} />],
      [t('离线策略'), labelOf(offlineLabels, task.shadowControl)],
    ]
  }
  const action = (
    <span key="action" className="mono">
      {task.actionID}
    </span>
  )
  return [
    [t('行为'), action],
    [t('参数'), <JsonView key="input" value={task.inputParams || '{}'} />],
  ]
}

/** screens.md 7.2 任务配置: payload, target and schedule, to read. */
export function ConfigTab({ task }: { task: TaskDetail }) {
  const target = `${targetText(task)}${task.targetType === TaskTarget.group && task.includeChildren ? t('，含子分组') : ''}`
  const rows: FactRow[] = [
    [t('任务类型'), labelOf(taskTypeLabels, task.taskType)],
    [t('产品'), task.productName || task.productID],
    ...(task.desc ? [[t('说明'), task.desc] as const] : []),
    [t('目标'), `${target}${task.onlineOnly ? t('，仅在线设备') : ''}`],
    ...(task.targetType === TaskTarget.devices
      ? [[t('设备'), <Names key="names" names={task.deviceNames} />] as const]
      : []),
    ...contentRows(task),
    ...scheduleRows(task),
    ...(isCron(task) ? [[t('下次执行'), formatTime(task.nextRunTime)] as const] : []),
    [t('下发速率'), t('{count, number} 台/分钟', { count: task.rate })],
    [t('单设备超时'), t('{seconds} 秒', { seconds: task.timeout })],
    ...limitRows(task),
    [t('创建', { context: 'past' }), t('{user}，{time}', { user: task.createdBy, time: formatTime(task.createdTime) })],
  ]
  return <Facts rows={rows} className="rollout-facts-lined" />
}
