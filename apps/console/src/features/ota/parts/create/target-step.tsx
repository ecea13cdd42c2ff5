import { type Firmware, firmwareLimits, PackageKind } from '@ithings/contract/features/ota/firmware.ts'
import {
  OtaScope,
  OtaStrategy,
  otaLimits,
  otaScopeLabels,
  type VersionSource,
  versionSourceLabels,
} from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Radio, Segmented, Select } from 'antd'
import { useEffect } from 'react'
import { NamedDevices } from '#blocks/device-choice/named-devices.tsx'
import { GroupPicker } from '#blocks/group-picker.tsx'
import { WizardField } from '#blocks/rollout/wizard.tsx'
import { choicesOf } from '#blocks/rollout/words.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { deviceVersionsQuery } from '../../queries.ts'
import type { StepProps, TaskDraft } from './task-draft.ts'

interface VersionSelectProps extends Pick<StepProps, 'draft' | 'change'> {
  id: string
  firmware: Firmware
  /** A differential package fits one version only. */
  fixed: boolean
}

/** Versions that devices run now, with their counts; a version that no device told yet may be typed. */
function VersionSelect({ id, firmware, fixed, draft, change }: VersionSelectProps) {
  const versions = useQuery(deviceVersionsQuery(firmware.firmwareID))
  const options = (versions.data ?? [])
    // Nobody upgrades from the version of the package itself.
    .filter(({ version }) => version !== '' && version !== firmware.version)
    .map(({ version, count, online }) => ({ value: version, label: version, count, online }))
  return (
    <Select
      id={id}
      mode="tags"
      allowClear
      maxCount={firmwareLimits.versions}
      disabled={fixed}
      value={draft.versionList}
      loading={versions.isFetching}
      options={options}
      // What people type between two versions, not a text.
      tokenSeparators={[',', '，', ' ']}
      placeholder={draft.upgradeType === OtaStrategy.dynamic ? t('选择或输入版本') : t('不选则不限版本')}
      style={{ width: '100%' }}
      optionRender={({ data }) => (
        <span className="flex between gap-12">
          <span className="mono">{data.label}</span>
          {data.count !== undefined && (
            <span className="quiet">
              {t('{count, number} 台，在线 {online, number}', { count: data.count, online: data.online })}
            </span>
          )}
        </span>
      )}
      notFoundContent={versions.isError ? describeError(versions.error).reason : t('没有设备上报过版本')}
      onChange={(versionList: string[]) => change({ versionList })}
    />
  )
}

function Part({ draft, change, problems }: Pick<StepProps, 'draft' | 'change' | 'problems'>) {
  return (
    <>
      <WizardField label={t('选择方法')}>
        <Segmented<TaskDraft['by']>
          value={draft.by}
          options={[
            { value: 'devices', label: t('选择、粘贴或上传') },
            { value: 'group', label: t('按分组') },
          ]}
          onChange={(by) => change({ by })}
        />
      </WizardField>
      {draft.by === 'group' ? (
        <WizardField
          label={t('分组')}
          required
          problem={problems.deviceList}
          extra={t('包括下级分组；只有这个产品的设备计入')}
        >
          {(id) => (
            <GroupPicker
              id={id}
              value={draft.groupID || undefined}
              onChange={(groupID) => change({ groupID: groupID ?? '' })}
            />
          )}
        </WizardField>
      ) : (
        <WizardField label={t('设备')} required above problem={problems.deviceList}>
          <NamedDevices
            productID={draft.productID}
            filter={draft.filter}
            onDropFilter={() => change({ filter: undefined })}
            names={draft.deviceList}
            onNames={(deviceList) => change({ deviceList })}
            max={otaLimits.devices}
          />
        </WizardField>
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
      <WizardField
        label={t('升级方式')}
        problem={problems.type}
        extra={dynamic ? t('动态升级按版本匹配全部设备') : undefined}
      >
        <Radio.Group
          value={draft.type}
          options={choicesOf(otaScopeLabels).map((option) => ({
            ...option,
            disabled: dynamic && option.value === OtaScope.part,
          }))}
          onChange={({ target }) => change({ type: target.value as OtaScope })}
        />
      </WizardField>
      {draft.type === OtaScope.part && <Part draft={draft} change={change} problems={problems} />}
      <WizardField
        label={t('待升级版本')}
        required={dynamic}
        problem={problems.versionList}
        extra={fixed ? t('差分包只能用于 {version}', { version: fixed }) : t('只升级运行这些版本的设备，最多 10 个')}
      >
        {(id) =>
          firmware ? (
            <VersionSelect id={id} firmware={firmware} fixed={fixed !== undefined} draft={draft} change={change} />
          ) : (
            <Alert type="info" title={t('先选择固件')} />
          )
        }
      </WizardField>
      <WizardField label={t('版本来源')} extra={t('询问设备：推送前先问它现在的版本，离线的设备上线后再问')}>
        <Radio.Group
          value={draft.source}
          options={choicesOf(versionSourceLabels)}
          onChange={({ target }) => change({ source: target.value as VersionSource })}
        />
      </WizardField>
    </>
  )
}
