import {
  TaskSchedule,
  TaskTarget,
  TaskType,
  taskTargetLabels,
  taskTypeLabels,
} from '@ithings/contract/features/tasks.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { type ReactNode, useId } from 'react'
import { describeSet } from '#blocks/command-history/command-words.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { callableOf, valuesOfText } from '#blocks/model-form/command-text.ts'
import { JsonView } from '#kit/json-view.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { formatTime, zoneLabel } from '#kit/time.ts'
import { steps } from '../../draft/check-draft.ts'
import { reached, type TaskDraft } from '../../draft/task-draft.ts'
import { offlineLabels } from '../../labels.ts'
import { CronWords } from '../cron-words.tsx'
import type { ReachView } from './step-props.ts'

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

interface PartProps {
  step: number
  onStep: (step: number) => void
  rows: readonly (readonly [string, ReactNode])[]
}

function Part({ step, onStep, rows }: PartProps) {
  return (
    <section className="summary-part">
      <header>
        <h3>{steps[step]}</h3>
        <Button type="link" size="small" onClick={() => onStep(step)}>
          修改
        </Button>
      </header>
      <dl>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const figure = (count: number) => count.toLocaleString()

/** Without the number nothing is sent, so it can be asked for again here. */
const refusedImpact = ({ error, retry }: ReachView) => (
  <span className="tone-error" role="alert">
    {describeError(error).reason}
    <Button type="link" size="small" onClick={retry}>
      重试
    </Button>
  </span>
)

function contentRows(draft: TaskDraft, model: ThingModel | undefined): (readonly [string, ReactNode])[] {
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

function scheduleRows(draft: TaskDraft): (readonly [string, ReactNode])[] {
  if (draft.scheduleType === TaskSchedule.now) return [['执行方式', '立即']]
  if (draft.scheduleType === TaskSchedule.once) {
    return [['执行方式', `定时一次，${formatTime(draft.runAt)}（${zoneLabel()}）`]]
  }
  const { validStart, validEnd } = draft
  const period = validStart || validEnd ? `${formatTime(validStart)} 至 ${formatTime(validEnd)}` : '不限'
  return [
    [
      '执行方式',
      <span key="cron">
        周期 <span className="mono">{draft.cron}</span>，<CronWords cron={draft.cron} />
      </span>,
    ],
    ['有效期', period],
  ]
}

/** screens.md 7.1: the whole task once more, before it reaches the devices. */
export function StepSummary(props: StepSummaryProps) {
  const { draft, model, reach, why, typed, onTyped, onStep } = props
  const id = useId()
  const groups = useQuery({ ...allGroupsQuery, enabled: draft.targetType === TaskTarget.group })
  const group = groups.data?.find(({ groupID }) => groupID === draft.groupID)?.groupName ?? draft.groupID
  const counted = reach.reach
  const count = counted && reached(counted, draft.onlineOnly)
  const target =
    draft.targetType === TaskTarget.group
      ? `分组「${group}」${draft.includeChildren ? '，含子分组' : '，不含子分组'}`
      : `${taskTargetLabels[draft.targetType]}${draft.targetType === TaskTarget.devices && draft.filter ? '，设备列表的筛选结果' : ''}`
  const impact: ReactNode = counted
    ? `${figure(count ?? 0)} 台（在线 ${figure(counted.online)} / 离线 ${figure(counted.offline)} / 未激活 ${figure(counted.inactive)}）`
    : reach.error
      ? refusedImpact(reach)
      : '正在计算'
  const retry = draft.retryCount ? `${draft.retryCount} 次，间隔 ${draft.retryInterval} 秒` : '不重试'
  return (
    <div className="column shrink gap-16">
      <Part
        step={0}
        onStep={onStep}
        rows={[
          ['任务名称', draft.taskName],
          ['任务类型', taskTypeLabels[draft.taskType]],
          ['产品', props.productName || draft.productID],
          ...(draft.desc ? [['说明', draft.desc] as const] : []),
        ]}
      />
      <Part
        step={1}
        onStep={onStep}
        rows={[
          ['设备范围', `${target}${draft.onlineOnly ? '，仅在线设备' : ''}`],
          ['将影响', <b key="impact">{impact}</b>],
        ]}
      />
      <Part step={2} onStep={onStep} rows={contentRows(draft, model)} />
      <Part
        step={3}
        onStep={onStep}
        rows={[
          ...scheduleRows(draft),
          ['下发', `${figure(draft.rate ?? 0)} 台/分钟，单设备超时 ${draft.timeout} 秒`],
          ['失败重试', retry],
          ['失败率熔断', draft.failStop ? `达到 ${draft.failStop}% 停止下发` : '关闭'],
        ]}
      />
      {why && counted && (
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
      )}
    </div>
  )
}
