import { type Device, DeviceStatus, deviceStatus } from '@ithings/contract/features/devices/info.ts'
import { TaskTarget, taskLimits, taskTargetLabels } from '@ithings/contract/features/tasks.ts'
import { DeviceChoice } from '#blocks/device-choice/device-choice.tsx'
import { DeviceRows } from '#blocks/device-choice/device-rows.tsx'
import { FilterChoice } from '#blocks/device-choice/filter-choice.tsx'
import { RadioCards } from '#kit/radio-cards.tsx'
import type { TaskDraft } from '../../draft/task-draft.ts'
import { GroupChoice } from './group-choice.tsx'
import { ImpactCard } from './impact-card.tsx'
import type { StepProps } from './step-props.ts'

const targetTexts: Record<TaskTarget, string> = {
  [TaskTarget.devices]: `勾选、粘贴或上传，最多 ${taskLimits.devices.toLocaleString()} 台`,
  [TaskTarget.product]: '每次执行时重新计算',
  [TaskTarget.group]: '只计入属于该产品的设备',
}
const targets = Object.values(TaskTarget).map((value) => ({
  value,
  title: taskTargetLabels[value],
  text: targetTexts[value],
}))

const waitingTexts: Record<TaskTarget, string> = {
  [TaskTarget.devices]: '还没有选择设备',
  [TaskTarget.product]: '正在计算',
  [TaskTarget.group]: '请先在左侧选择一个分组',
}

const isLeftOut = (draft: TaskDraft) => (device: Device) =>
  draft.onlineOnly && deviceStatus(device) !== DeviceStatus.online

function Preview({ draft }: { draft: TaskDraft }) {
  const { productID, targetType, groupID, includeChildren } = draft
  const inGroup = targetType === TaskTarget.group
  if (inGroup && groupID === '') return null
  return (
    <DeviceRows
      // Another range starts on its own first page.
      key={`${productID}/${targetType}/${groupID}/${includeChildren}`}
      plain
      within={{ productID, ...(inGroup && { inGroupID: groupID, includeChildren }) }}
      title={<>设备预览{draft.onlineOnly && <span className="meta"> 灰色不下发</span>}</>}
      isDim={isLeftOut(draft)}
    />
  )
}

/** screens.md 7.1. */
export function StepTarget({ draft, change, faults, reach }: StepProps) {
  const { targetType } = draft
  const fault = faults.get('deviceNames') ?? faults.get('groupID')
  const impact = <ImpactCard draft={draft} change={change} reach={reach} waiting={waitingTexts[targetType]} />
  return (
    <div className="column shrink gap-16">
      <RadioCards
        aria-label="设备范围"
        value={targetType}
        options={targets}
        onChange={(next) => change({ targetType: next })}
      />
      {fault && (
        <p className="task-fault" role="alert">
          {fault}
        </p>
      )}
      {targetType === TaskTarget.group && (
        <div className="target-group">
          <GroupChoice
            productID={draft.productID}
            value={draft.groupID}
            includeChildren={draft.includeChildren}
            isWrong={faults.has('groupID')}
            onChange={change}
          />
          <div className="column shrink gap-16">
            {impact}
            <Preview draft={draft} />
          </div>
        </div>
      )}
      {targetType === TaskTarget.product && (
        <>
          {impact}
          <Preview draft={draft} />
        </>
      )}
      {targetType === TaskTarget.devices && (
        <>
          {impact}
          {draft.filter ? (
            <FilterChoice onDrop={() => change({ filter: undefined })} />
          ) : (
            <DeviceChoice
              productID={draft.productID}
              value={draft.deviceNames}
              max={taskLimits.devices}
              unknown={reach.reach?.unknown}
              onChange={(deviceNames) => change({ deviceNames })}
            />
          )}
        </>
      )}
    </div>
  )
}
