import { PackageKind } from '@ithings/contract/features/ota/firmware.ts'
import { OtaScope, OtaStrategy, otaLimits, type VersionSource } from '@ithings/contract/features/ota/task.ts'
import { Alert, Radio, Segmented } from 'antd'
import { useEffect } from 'react'
import { DeviceChoice } from '#blocks/device-choice/device-choice.tsx'
import { FilterChoice } from '#blocks/device-choice/filter-choice.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { scopeOptions, sourceOptions } from '../../labels.ts'
import { Labelled } from './labelled.tsx'
import type { StepProps } from './step-props.ts'
import type { TaskDraft } from './task-draft.ts'
import { VersionSelect } from './version-select.tsx'

function Part({ draft, change, problems }: Pick<StepProps, 'draft' | 'change' | 'problems'>) {
  return (
    <>
      <Labelled label="选择方法">
        <Segmented<TaskDraft['by']>
          value={draft.by}
          options={[
            { value: 'devices', label: '选择、粘贴或上传' },
            { value: 'group', label: '按分组' },
          ]}
          onChange={(by) => change({ by })}
        />
      </Labelled>
      {draft.by === 'group' ? (
        <Labelled
          label="分组"
          htmlFor="task-group"
          required
          problem={problems.deviceList}
          extra="包括下级分组；只有这个产品的设备计入"
        >
          <GroupPicker
            id="task-group"
            value={draft.groupID || undefined}
            onChange={(groupID) => change({ groupID: groupID ?? '' })}
          />
        </Labelled>
      ) : (
        <Labelled label="设备" required above problem={problems.deviceList}>
          {draft.filter ? (
            <FilterChoice onDrop={() => change({ filter: undefined })} />
          ) : (
            <DeviceChoice
              productID={draft.productID}
              value={draft.deviceList}
              onChange={(deviceList) => change({ deviceList })}
              max={otaLimits.devices}
            />
          )}
        </Labelled>
      )}
    </>
  )
}

/** Which devices get it. */
export function TargetStep({ draft, change, problems, firmware }: StepProps) {
  const dynamic = draft.upgradeType === OtaStrategy.dynamic
  const fixed = firmware?.isDiff === PackageKind.diff ? firmware.srcVersion : undefined
  // A differential package fits one version only, so there is nothing to choose.
  useEffect(() => {
    if (fixed !== undefined && (draft.versionList.length !== 1 || draft.versionList[0] !== fixed)) {
      change({ versionList: [fixed] })
    }
  }, [fixed, draft.versionList, change])
  return (
    <>
      <Labelled label="升级方式" problem={problems.type} extra={dynamic ? '动态升级按版本匹配全部设备' : undefined}>
        <Radio.Group
          value={draft.type}
          options={scopeOptions.map((option) => ({ ...option, disabled: dynamic && option.value === OtaScope.part }))}
          onChange={({ target }) => change({ type: target.value as OtaScope })}
        />
      </Labelled>
      {draft.type === OtaScope.part && <Part draft={draft} change={change} problems={problems} />}
      <Labelled
        label="待升级版本"
        htmlFor="task-versions"
        required={dynamic}
        problem={problems.versionList}
        extra={fixed ? `差分包只能用于 ${fixed}` : '只升级运行这些版本的设备，最多 10 个'}
      >
        {firmware ? (
          <VersionSelect
            id="task-versions"
            firmwareID={firmware.firmwareID}
            target={firmware.version}
            value={draft.versionList}
            disabled={fixed !== undefined}
            required={dynamic}
            onChange={(versionList) => change({ versionList })}
          />
        ) : (
          <Alert type="info" title="先选择固件" />
        )}
      </Labelled>
      <Labelled label="版本来源" extra="询问设备：推送前先问它现在的版本，离线的设备上线后再问">
        <Radio.Group
          value={draft.source}
          options={sourceOptions}
          onChange={({ target }) => change({ source: target.value as VersionSource })}
        />
      </Labelled>
    </>
  )
}
