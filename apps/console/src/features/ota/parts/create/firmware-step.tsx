import {
  type Firmware,
  firmwareModuleLabels,
  PackageKind,
  packageKindLabels,
} from '@ithings/contract/features/ota/firmware.ts'
import { OtaScope, OtaStrategy, otaStrategyLabels } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Descriptions, Input, Radio } from 'antd'
import { Link } from 'react-router'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { WizardField } from '#blocks/rollout/wizard.tsx'
import { choicesOf } from '#blocks/rollout/words.ts'
import { Copyable } from '#kit/copyable.tsx'
import { paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'
import { sizeText } from '#kit/size-text.ts'
import { labelOf } from '#kit/status-tag.tsx'
import { FirmwarePicker } from '../firmware/firmware-picker.tsx'
import type { StepProps } from './task-draft.ts'

const factsOf = (firmware: Firmware) => [
  { key: 'version', label: t('目标版本'), children: <Copyable text={firmware.version} /> },
  { key: 'module', label: t('模块'), children: labelOf(firmwareModuleLabels, firmware.module) },
  {
    key: 'kind',
    label: t('包类型'),
    children:
      firmware.isDiff === PackageKind.diff
        ? t('{kind}，只用于 {version}', {
            kind: labelOf(packageKindLabels, firmware.isDiff),
            version: firmware.srcVersion,
          })
        : labelOf(packageKindLabels, firmware.isDiff),
  },
  {
    key: 'size',
    label: t('大小'),
    children: t('{count} 个文件，{size}', { count: firmware.fileCount, size: sizeText(firmware.size) }),
  },
  {
    key: 'sha',
    label: 'SHA-256',
    span: 'filled' as const,
    children: <Copyable text={firmware.sha256} maxWidth={420} />,
  },
]

/** What is pushed, and whether devices that match later get it too. */
export function FirmwareStep({ draft, change, problems, firmware }: StepProps) {
  const { productID, firmwareID, upgradeType } = draft
  const without = { firmwareID: undefined, deviceList: [], filter: undefined, versionList: [] }
  return (
    <>
      <WizardField label={t('产品')} required>
        {(id) => (
          <ProductPicker
            id={id}
            value={productID || undefined}
            onChange={(next) => change({ ...without, productID: next ?? '' })}
          />
        )}
      </WizardField>
      <WizardField
        label={t('固件')}
        required
        problem={problems.firmwareID}
        extra={
          <RichText
            text={t('没有合适的固件？先到 <0>固件包管理</0> 上传')}
            parts={[<Link key="firmware" to={paths.firmware} />]}
          />
        }
      >
        {(id) => (
          <FirmwarePicker
            id={id}
            productID={productID}
            disabled={productID === ''}
            placeholder={productID ? t('选择固件') : t('先选择产品')}
            value={firmwareID === undefined ? undefined : String(firmwareID)}
            onChange={(next) => change({ firmwareID: next ? Number(next) : undefined, versionList: [] })}
          />
        )}
      </WizardField>
      {firmware && (
        <Descriptions
          className="task-facts head-fill round-6"
          size="small"
          column={{ xs: 1, sm: 2 }}
          items={factsOf(firmware)}
        />
      )}
      <WizardField
        label={t('升级策略')}
        extra={
          upgradeType === OtaStrategy.dynamic
            ? t('现在符合的设备，以及任务结束前新出现或版本变为所选版本的设备；每个固件只能有一个动态任务')
            : t('只升级现在符合条件的设备')
        }
      >
        <Radio.Group
          value={upgradeType}
          options={choicesOf(otaStrategyLabels)}
          onChange={({ target }) =>
            change({
              upgradeType: target.value as OtaStrategy,
              // A dynamic task looks at versions, never at a list of devices.
              ...(target.value === OtaStrategy.dynamic && { type: OtaScope.all }),
            })
          }
        />
      </WizardField>
      <WizardField label={t('备注')} problem={problems.note}>
        {(id) => (
          <Input
            id={id}
            maxLength={200}
            showCount
            value={draft.note}
            placeholder={t('给同事看的一句话，可不填')}
            onChange={(event) => change({ note: event.target.value })}
          />
        )}
      </WizardField>
    </>
  )
}
