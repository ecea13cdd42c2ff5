import { type Firmware, updateFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, Input } from 'antd'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { useFirmwareSend, useFreshFirmware } from '../../queries.ts'
import { DescribeFields } from './create-firmware.tsx'

const valuesOf = ({ firmwareID, name, desc, extData, rev }: Firmware) => ({ firmwareID, name, desc, extData, rev })

/** screens.md 21, page mode 2 更新: version and files are fixed, devices may run them already. */
export function EditFirmware({ firmware, ...opened }: { firmware: Firmware; open: boolean; onClose: () => void }) {
  const fresh = useFreshFirmware()
  const send = useFirmwareSend()
  const stale = useStaleEdit(firmware.rev, async () => valuesOf(await fresh(firmware.firmwareID)))
  return (
    <FormDrawer
      {...opened}
      title={t('编辑固件包「{name} {version}」', { name: firmware.name, version: firmware.version })}
      schema={updateFirmware.body}
      initialValues={valuesOf(firmware)}
      stale={stale}
      onSubmit={(values, { rev }) =>
        send(updateFirmware, { ...values, desc: values.desc ?? '', extData: values.extData ?? '', rev })
      }
      done={t('更新成功')}
    >
      <Alert
        className="below-16"
        type="info"
        showIcon
        title={t('产品、版本、模块和文件在创建后不能修改；要换内容请新增一个版本。')}
      />
      <Field name="name" label={t('固件名称')}>
        <Input maxLength={64} showCount autoComplete="off" />
      </Field>
      <DescribeFields />
    </FormDrawer>
  )
}
