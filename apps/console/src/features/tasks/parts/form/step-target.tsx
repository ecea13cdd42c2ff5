import { type Device, DeviceStatus, deviceStatus } from '@ithings/contract/features/devices/info.ts'
import { TaskTarget, taskLimits, taskTargetLabels } from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Skeleton, Switch } from 'antd'
import { useId } from 'react'
import { DeviceRows } from '#blocks/device-choice/device-rows.tsx'
import { NamedDevices } from '#blocks/device-choice/named-devices.tsx'
import { StackedProgress } from '#blocks/stacked-progress.tsx'
import { numberText } from '#kit/number-text.ts'
import { RadioCards } from '#kit/radio-cards.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { type Reach, reached, type TaskDraft } from '../../draft/task-draft.ts'
import type { StepProps } from './form-row.tsx'
import { GroupChoice } from './group-choice.tsx'

const targetTexts: Record<TaskTarget, string> = {
  [TaskTarget.devices]: '勾选、粘贴或上传，最多 {most, number} 台',
  [TaskTarget.product]: '每次执行时重新计算',
  [TaskTarget.group]: '只计入属于该产品的设备',
}
const targetCards = () =>
  Object.values(TaskTarget).map((value) => ({
    value,
    title: t(taskTargetLabels[value]),
    text: t(targetTexts[value], { most: taskLimits.devices }),
  }))

const waitingTexts: Record<TaskTarget, string> = {
  [TaskTarget.devices]: '还没有选择设备',
  [TaskTarget.product]: '正在计算',
  [TaskTarget.group]: '请先在左侧选择一个分组',
}

const partsOf = ({ online, offline, inactive }: Reach) => [
  { label: t('在线'), value: online, tone: 'success' as const },
  { label: t('离线'), value: offline, tone: 'error' as const },
  { label: t('未激活'), value: inactive, tone: 'warning' as const, ring: true },
]

function Reached({ reach, onlineOnly }: { reach: Reach; onlineOnly: boolean }) {
  const parts = partsOf(reach)
  const all = reached(reach, false)
  const left = all - reach.online
  return (
    <>
      <StackedProgress thick label={t('将影响的设备')} total={all} parts={parts} />
      <div className="impact-line flex wrap baseline">
        {parts.map(({ label, value, tone, ring = false }, index) => (
          <span key={label} className={onlineOnly && index > 0 ? 'impact-left-out' : ''}>
            <StatusTag text={label} tone={tone} ring={ring} /> <b>{numberText(value)}</b>
          </span>
        ))}
        <span className="meta to-end">{t('范围内共 {count, number} 台', { count: all })}</span>
      </div>
      {onlineOnly && left > 0 && (
        <p className="impact-note bare line-above meta">
          {t(
            '跳过 {left, number} 台：离线 {offline, number} 台、未激活 {inactive, number} 台，因「仅在线设备」不下发',
            { left, offline: reach.offline, inactive: reach.inactive },
          )}
        </p>
      )}
    </>
  )
}

/** screens.md 7.1: 将影响 n 台 (在线 a / 离线 b / 未激活 c), resolved by the server. */
function ImpactCard({ draft, change, reach: view }: Pick<StepProps, 'draft' | 'change' | 'reach'>) {
  const id = useId()
  const { reach } = view
  const { onlineOnly } = draft
  const body = () => {
    if (reach) return <Reached reach={reach} onlineOnly={onlineOnly} />
    if (view.error) {
      return (
        <p className="impact-note bare line-above meta tone-error" role="alert">
          {describeError(view.error).reason}
          <Button type="link" size="small" onClick={view.retry}>
            {t('重试')}
          </Button>
        </p>
      )
    }
    if (view.loading) return <Skeleton active title={false} paragraph={{ rows: 1 }} />
    return <p className="impact-note bare line-above meta">{t(waitingTexts[draft.targetType])}</p>
  }
  return (
    <section className="pad-12-16 boxed column gap-10" aria-live="polite">
      <div className="impact-line flex wrap baseline between">
        <span className="impact-figure softer">
          <RichText
            text={
              reach
                ? t('将影响 <0>{count, number}</0> 台', { count: reached(reach, onlineOnly) })
                : t('将影响 <0>—</0> 台')
            }
            parts={[<b key="count" />]}
          />
        </span>
        <label className="inline-row gap-8" htmlFor={id}>
          {t('仅在线设备')}
          <Switch id={id} size="small" checked={onlineOnly} onChange={(on) => change({ onlineOnly: on })} />
        </label>
      </div>
      {body()}
    </section>
  )
}

function Preview({ draft }: { draft: TaskDraft }) {
  const { productID, targetType, groupID, includeChildren, onlineOnly } = draft
  const inGroup = targetType === TaskTarget.group
  if (inGroup && groupID === '') return null
  return (
    <DeviceRows
      // Another range starts on its own first page.
      key={`${productID}/${targetType}/${groupID}/${includeChildren}`}
      plain
      within={{ productID, ...(inGroup && { inGroupID: groupID, includeChildren }) }}
      title={
        <>
          {t('设备预览')}
          {onlineOnly && <span className="meta"> {t('灰色不下发')}</span>}
        </>
      }
      isDim={(device: Device) => onlineOnly && deviceStatus(device) !== DeviceStatus.online}
    />
  )
}

/** screens.md 7.1. */
export function StepTarget({ draft, change, faults, reach }: StepProps) {
  const { targetType } = draft
  const fault = faults.get('deviceNames') ?? faults.get('groupID')
  const grouped = targetType === TaskTarget.group
  return (
    <div className="column shrink gap-16">
      <RadioCards
        aria-label={t('设备范围')}
        value={targetType}
        options={targetCards()}
        onChange={(next) => change({ targetType: next })}
      />
      {fault && (
        <p className="error-text bare" role="alert">
          {fault}
        </p>
      )}
      <div className={grouped ? 'target-group gap-16 grid' : ''}>
        {grouped && (
          <GroupChoice
            productID={draft.productID}
            value={draft.groupID}
            includeChildren={draft.includeChildren}
            isWrong={faults.has('groupID')}
            onChange={change}
          />
        )}
        <div className="column shrink gap-16">
          <ImpactCard draft={draft} change={change} reach={reach} />
          {targetType === TaskTarget.devices ? (
            <NamedDevices
              productID={draft.productID}
              filter={draft.filter}
              names={draft.deviceNames}
              max={taskLimits.devices}
              unknown={reach.reach?.unknown}
              onNames={(deviceNames) => change({ deviceNames })}
              onDropFilter={() => change({ filter: undefined })}
            />
          ) : (
            <Preview draft={draft} />
          )}
        </div>
      </div>
    </div>
  )
}
