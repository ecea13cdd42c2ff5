import { type Firmware, updateFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Input } from 'antd'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import { firmwareQuery, useFirmwareWork } from '../../queries.ts'
import { DescribeFields } from './create-firmware.tsx'

const valuesOf = ({ firmwareID, name, desc, extData, rev }: Firmware) => ({ firmwareID, name, desc, extData, rev })

interface EditFirmwareProps {
  firmware: Firmware
  open: boolean
  onClose: () => void
}

/** screens.md 21, page mode 2 更新: version and files are fixed, devices may run them already. */
export function EditFirmware({ firmware, open, onClose }: EditFirmwareProps) {
  const { message } = App.useApp()
  const client = useQueryClient()
  const work = useFirmwareWork()
  const stale = useStaleEdit(firmware.rev, async () =>
    valuesOf(await client.fetchQuery({ ...firmwareQuery(firmware.firmwareID), staleTime: 0 })),
  )
  return (
    <FormDrawer
      title={`编辑固件包「${firmware.name} ${firmware.version}」`}
      open={open}
      onClose={onClose}
      schema={updateFirmware.body}
      initialValues={valuesOf(firmware)}
      footerExtra={stale.action}
      onSubmit={async (values) => {
        await stale.guard((rev) =>
          work.update({ ...values, desc: values.desc ?? '', extData: values.extData ?? '', rev }),
        )
        void message.success('更新成功')
      }}
    >
      {(form) => {
        stale.bind(form)
        return (
          <>
            <Alert
              className="firmware-note"
              type="info"
              showIcon
              title="产品、版本、模块和文件在创建后不能修改；要换内容请新增一个版本。"
            />
            <Field name="name" label="固件名称">
              <Input maxLength={64} showCount autoComplete="off" />
            </Field>
            <DescribeFields />
          </>
        )
      }}
    </FormDrawer>
  )
}
