import { TaskTarget, TaskType, taskTargetLabels, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { type ReactNode, useId } from 'react'
import { describeSet } from '#blocks/command-history/command-words.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { callableOf, valuesOfText } from '#blocks/model-form/command-text.ts'
import { type FactRow, Facts } from '#blocks/rollout/wizard.tsx'
import { figure } from '#blocks/rollout/words.ts'
import { JsonView } from '#kit/json-view.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { steps } from '../../draft/check-draft.ts'
import { reached, type TaskDraft } from '../../draft/task-draft.ts'
import { offlineLabels } from '../../labels.ts'
import { limitRows, scheduleRows } from '../task-facts.tsx'
import type { ReachView } from './form-row.tsx'

interface StepSummaryProps {
  draft: TaskDraft
  productName: string
  model: ThingModel | undefined
  reach: ReachView
  /** Why the number of devices must be typed; undefined: it need not. */
  why: string | undefined
  typed: string
  onTyped: (text: string) => void
  onStep: (step: number) => void
}

function contentRows(draft: TaskDraft, model: ThingModel | undefined): FactRow[] {
  if (draft.taskType === TaskType.config) return [['配置版本', `#${draft.configID}`]]
  if (draft.taskType === TaskType.property) {
    return [
      ...(model ? [['属性', describeSet(model, valuesOfText(draft.data) ?? {})] as const] : []),
      ['JSON', <JsonView key="data" value={draft.data} maxHeight={200} />],
      ['离线策略', offlineLabels[draft.shadowControl]],
    ]
  }
  const action = model && callableOf(model).find(({ identifier }) => identifier === draft.actionID)
  return [
    ['行为', action ? `${action.name}（${action.identifier}）` : draft.actionID],
    ['参数', action?.input.length === 0 ? '无' : <JsonView key="input" value={draft.inputParams} maxHeight={200} />],
  ]
}

function targetText({ targetType, filter, includeChildren, onlineOnly }: TaskDraft, group: string): string {
  const only = onlineOnly ? '，仅在线设备' : ''
  if (targetType === TaskTarget.group)
    return `分组「${group}」${includeChildren ? '，含子分组' : '，不含子分组'}${only}`
  const filtered = targetType === TaskTarget.devices && filter ? '，设备列表的筛选结果' : ''
  return `${taskTargetLabels[targetType]}${filtered}${only}`
}

/** Without the number nothing is sent, so it can be asked for again here. */
function impactText({ reach, error, retry }: ReachView, onlineOnly: boolean): ReactNode {
  if (reach) {
    const { online, offline, inactive } = reach
    return `${figure(reached(reach, onlineOnly))} 台（在线 ${figure(online)} / 离线 ${figure(offline)} / 未激活 ${figure(inactive)}）`
  }
  if (!error) return '正在计算'
  return (
    <span className="tone-error" role="alert">
      {describeError(error).reason}
      <Button type="link" size="small" onClick={retry}>
        重试
      </Button>
    </span>
  )
}

function TypedCount({
  why,
  count,
  typed,
  onTyped,
}: { count: number } & Pick<StepSummaryProps, 'why' | 'typed' | 'onTyped'>) {
  const id = useId()
  return (
    <Alert
      type="warning"
      showIcon
      title={`${why}，请核对后输入设备数量`}
      description={
        <label className="summary-typed row wrap" htmlFor={id}>
          <span>
            将影响 <b>{count}</b> 台，输入这个数字以确认
          </span>
          <Input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            placeholder="设备数量"
            status={typed !== '' && typed !== String(count) ? 'error' : ''}
            onChange={(event) => onTyped(event.target.value.trim())}
          />
        </label>
      }
    />
  )
}

/** screens.md 7.1: the whole task once more, before it reaches the devices. */
export function StepSummary({ draft, productName, model, reach, why, onStep, ...typing }: StepSummaryProps) {
  const groups = useQuery({ ...allGroupsQuery, enabled: draft.targetType === TaskTarget.group })
  const group = groups.data?.find(({ groupID }) => groupID === draft.groupID)?.groupName ?? draft.groupID
  const rowsOfStep: readonly FactRow[][] = [
    [
      ['任务名称', draft.taskName],
      ['任务类型', taskTypeLabels[draft.taskType]],
      ['产品', productName || draft.productID],
      ...(draft.desc ? [['说明', draft.desc] as const] : []),
    ],
    [
      ['设备范围', targetText(draft, group)],
      ['将影响', <b key="impact">{impactText(reach, draft.onlineOnly)}</b>],
    ],
    contentRows(draft, model),
    [
      ...scheduleRows(draft),
      ['下发', `${figure(draft.rate ?? 0)} 台/分钟，单设备超时 ${draft.timeout} 秒`],
      ...limitRows(draft),
    ],
  ]
  return (
    <div className="column shrink gap-16">
      {steps.map((title, step) => (
        <section key={title} className="summary-part framed">
          <header className="row between">
            <h3 className="part-title">{title}</h3>
            <Button type="link" size="small" onClick={() => onStep(step)}>
              修改
            </Button>
          </header>
          <Facts rows={rowsOfStep[step] ?? []} />
        </section>
      ))}
      {why && reach.reach && <TypedCount {...typing} why={why} count={reached(reach.reach, draft.onlineOnly)} />}
    </div>
  )
}
