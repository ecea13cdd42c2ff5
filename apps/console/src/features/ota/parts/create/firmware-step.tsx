import { firmwareModuleLabels, PackageKind, packageKindLabels } from '@ithings/contract/features/ota/firmware.ts'
import { OtaScope, OtaStrategy } from '@ithings/contract/features/ota/task.ts'
import { Descriptions, Input, Radio } from 'antd'
import { Link } from 'react-router'
import { ProductPicker } from '#blocks/product-picker.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { labelOf } from '#kit/status-tag.tsx'
import { sizeText } from '../../labels.ts'
import { firmwarePath } from '../../paths.ts'
import { FirmwarePicker } from '../firmware/firmware-picker.tsx'
import { Labelled } from './labelled.tsx'
import type { StepProps } from './step-props.ts'

/** What is pushed, and whether devices that match later get it too. */
export function FirmwareStep({ draft, change, problems, firmware }: StepProps) {
  return (
    <>
      <Labelled label="产品" htmlFor="task-product" required>
        <ProductPicker
          id="task-product"
          value={draft.productID || undefined}
          onChange={(productID) =>
            change({
              productID: productID ?? '',
              firmwareID: undefined,
              deviceList: [],
              filter: undefined,
              versionList: [],
            })
          }
        />
      </Labelled>
      <Labelled
        label="固件"
        htmlFor="task-firmware"
        required
        problem={problems.firmwareID}
        extra={
          <>
            没有合适的固件？先到 <Link to={firmwarePath}>固件包管理</Link> 上传
          </>
        }
      >
        <FirmwarePicker
          id="task-firmware"
          productID={draft.productID}
          disabled={draft.productID === ''}
          placeholder={draft.productID ? '选择固件' : '先选择产品'}
          value={draft.firmwareID === undefined ? undefined : String(draft.firmwareID)}
          onChange={(id) => change({ firmwareID: id ? Number(id) : undefined, versionList: [] })}
        />
      </Labelled>
      {firmware && (
        <Descriptions
          className="task-facts"
          size="small"
          column={{ xs: 1, sm: 2 }}
          items={[
            { key: 'version', label: '目标版本', children: <Copyable text={firmware.version} /> },
            { key: 'module', label: '模块', children: labelOf(firmwareModuleLabels, firmware.module) },
            {
              key: 'kind',
              label: '包类型',
              children: `${labelOf(packageKindLabels, firmware.isDiff)}${firmware.isDiff === PackageKind.diff ? `，只用于 ${firmware.srcVersion}` : ''}`,
            },
            { key: 'size', label: '大小', children: `${firmware.fileCount} 个文件，${sizeText(firmware.size)}` },
            {
              key: 'sha',
              label: 'SHA-256',
              span: 'filled',
              children: <Copyable text={firmware.sha256} maxWidth={420} />,
            },
          ]}
        />
      )}
      <Labelled
        label="升级策略"
        extra={
          draft.upgradeType === OtaStrategy.dynamic
            ? '现在符合的设备，以及任务结束前新出现或版本变为所选版本的设备；每个固件只能有一个动态任务'
            : '只升级现在符合条件的设备'
        }
      >
        <Radio.Group
          value={draft.upgradeType}
          options={[
            { value: OtaStrategy.static, label: '静态' },
            { value: OtaStrategy.dynamic, label: '动态' },
          ]}
          onChange={({ target }) =>
            change({
              upgradeType: target.value as OtaStrategy,
              // A dynamic task looks at versions, never at a list of devices.
              ...(target.value === OtaStrategy.dynamic && { type: OtaScope.all }),
            })
          }
        />
      </Labelled>
      <Labelled label="备注" htmlFor="task-note" problem={problems.note}>
        <Input
          id="task-note"
          maxLength={200}
          showCount
          value={draft.note}
          placeholder="给同事看的一句话，可不填"
          onChange={(event) => change({ note: event.target.value })}
        />
      </Labelled>
    </>
  )
}
