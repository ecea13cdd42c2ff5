import { TaskTarget, TaskType, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { type FactRow, Facts } from '#blocks/rollout/wizard.tsx'
import { figure } from '#blocks/rollout/words.ts'
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
    <span className="config-names flex wrap">
      {(all ? names : names.slice(0, shownNames)).map((name) => (
        <span key={name} className="mono">
          {name}
        </span>
      ))}
      {!all && names.length > shownNames && (
        <Button type="link" size="small" onClick={() => setAll(true)}>
          显示全部 {figure(names.length)} 台
        </Button>
      )}
    </span>
  )
}

function contentRows(task: TaskDetail): FactRow[] {
  if (task.taskType === TaskType.config) return [['配置版本', `#${task.configID}`]]
  if (task.taskType === TaskType.property) {
    return [
      ['属性', <JsonView key="data" value={task.data} />],
      ['离线策略', labelOf(offlineLabels, task.shadowControl)],
    ]
  }
  const action = (
    <span key="action" className="mono">
      {task.actionID}
    </span>
  )
  return [
    ['行为', action],
    ['参数', <JsonView key="input" value={task.inputParams || '{}'} />],
  ]
}

/** screens.md 7.2 任务配置: payload, target and schedule, to read. */
export function ConfigTab({ task }: { task: TaskDetail }) {
  const target = `${targetText(task)}${task.targetType === TaskTarget.group && task.includeChildren ? '，含子分组' : ''}`
  const rows: FactRow[] = [
    ['任务类型', labelOf(taskTypeLabels, task.taskType)],
    ['产品', task.productName || task.productID],
    ...(task.desc ? [['说明', task.desc] as const] : []),
    ['目标', `${target}${task.onlineOnly ? '，仅在线设备' : ''}`],
    ...(task.targetType === TaskTarget.devices
      ? [['设备', <Names key="names" names={task.deviceNames} />] as const]
      : []),
    ...contentRows(task),
    ...scheduleRows(task),
    ...(isCron(task) ? [['下次执行', formatTime(task.nextRunTime)] as const] : []),
    ['下发速率', `${figure(task.rate)} 台/分钟`],
    ['单设备超时', `${task.timeout} 秒`],
    ...limitRows(task),
    ['创建', `${task.createdBy}，${formatTime(task.createdTime)}`],
  ]
  return <Facts rows={rows} className="rollout-facts-lined" />
}
