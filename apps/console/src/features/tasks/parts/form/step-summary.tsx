import { TaskTarget, TaskType, taskTargetLabels, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Input } from 'antd'
import { type ReactNode, useId } from 'react'
import { describeSet } from '#blocks/command-history/command-words.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { callableOf, valuesOfText } from '#blocks/model-form/command-text.ts'
import { type FactRow, Facts } from '#blocks/rollout/wizard.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { labelOf } from '#kit/status-tag.tsx'
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
  if (draft.taskType === TaskType.config) return [[t('配置版本'), `#${draft.configID}`]]
  if (draft.taskType === TaskType.property) {
    return [
      ...(model ? [[t('属性'), describeSet(model, valuesOfText(draft.data) ?? {})] as const] : []),
      ['JSON', <JsonView key="data" value={draft.data} maxHeight={200} />],
      [t('离线策略'), labelOf(offlineLabels, draft.shadowControl)],
    ]
  }
  const action = model && callableOf(model).find(({ identifier }) => identifier === draft.actionID)
  return [
    [
      t('行为'),
      action ? t('{name}（{identifier}）', { name: action.name, identifier: action.identifier }) : draft.actionID,
    ],
    [
      t('参数'),
      action?.input.length === 0 ? t('无') : <JsonView key="input" value={draft.inputParams} maxHeight={200} />,
    ],
  ]
}

function targetText({ targetType, filter, includeChildren, onlineOnly }: TaskDraft, group: string): string {
  const only = onlineOnly ? t('，仅在线设备') : ''
  if (targetType === TaskTarget.group)
    return t('分组「{name}」{children}{only}', {
      name: group,
      children: includeChildren ? t('，含子分组') : t('，不含子分组'),
      only,
    })
  const filtered = targetType === TaskTarget.devices && filter ? t('，设备列表的筛选结果') : ''
  return `${t(taskTargetLabels[targetType])}${filtered}${only}`
}

/** Without the number nothing is sent, so it can be asked for again here. */
function impactText({ reach, error, retry }: ReachView, onlineOnly: boolean): ReactNode {
  if (reach) {
    const { online, offline, inactive } = reach
    return t('{count, number} 台（在线 {online, number} / 离线 {offline, number} / 未激活 {inactive, number}）', {
      count: reached(reach, onlineOnly),
      online,
      offline,
      inactive,
    })
  }
  if (!error) return t('正在计算')
  return (
    <span className="tone-error" role="alert">
      {describeError(error).reason}
      <Button type="link" size="small" onClick={retry}>
        {t('重试')}
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
      title={t('{why}，请核对后输入设备数量', { why })}
      description={
        <label className="gap-8-12 row wrap" htmlFor={id}>
          <span>
            <RichText text={t('将影响 <0>{count}</0> 台，输入这个数字以确认', { count })} parts={[<b key="count" />]} />
          </span>
          <Input
            id={id}
            style={{ width: 160 }}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            placeholder={t('设备数量')}
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
      [t('任务名称'), draft.taskName],
      [t('任务类型'), t(taskTypeLabels[draft.taskType])],
      [t('产品'), productName || draft.productID],
      ...(draft.desc ? [[t('说明'), draft.desc] as const] : []),
    ],
    [
      [t('设备范围'), targetText(draft, group)],
      [t('将影响'), <b key="impact">{impactText(reach, draft.onlineOnly)}</b>],
    ],
    contentRows(draft, model),
    [
      ...scheduleRows(draft),
      [
        t('下发', { context: 'label' }),
        t('{rate, number} 台/分钟，单设备超时 {timeout} 秒', { rate: draft.rate ?? 0, timeout: draft.timeout }),
      ],
      ...limitRows(draft),
    ],
  ]
  return (
    <div className="column shrink gap-16">
      {steps.map((title, step) => (
        <section key={title} className="summary-part boxed">
          <header className="row between">
            <h3 className="subtitle">{t(title)}</h3>
            <Button type="link" size="small" onClick={() => onStep(step)}>
              {t('修改')}
            </Button>
          </header>
          <Facts rows={rowsOfStep[step] ?? []} />
        </section>
      ))}
      {why && reach.reach && <TypedCount {...typing} why={why} count={reached(reach.reach, draft.onlineOnly)} />}
    </div>
  )
}
