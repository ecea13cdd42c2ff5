import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import {
  createFirmware,
  deleteFirmware,
  type Firmware,
  saveSigningKey,
  updateFirmware,
} from '@ithings/contract/features/ota/firmware.ts'
import { createOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Alert, App, Button, Input } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useActs } from '#blocks/rollout/use-acts.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { newUpgradePath } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import { CreateFirmware, DescribeFields } from '../parts/firmware/create-firmware.tsx'
import '../parts/firmware/firmware.css'
import { useStaleEdit } from '#blocks/stale-edit.tsx'
import { Field } from '#kit/form/field.tsx'
import { FormDrawer } from '#kit/form/form-drawer.tsx'
import {
  type FirmwareFilters,
  filteredFirmware,
  firmwareColumns,
  firmwareFields,
} from '../parts/firmware/firmware-columns.tsx'
import { FirmwareDetail, useDownload } from '../parts/firmware/firmware-detail.tsx'
import { SigningKey } from '../parts/firmware/signing-key.tsx'
import { useFirmwareListSend, useFirmwareSend, useFreshFirmware } from '../queries.ts'

const valuesOf = ({ firmwareID, name, desc, extData, rev }: Firmware) => ({ firmwareID, name, desc, extData, rev })

interface EditFirmwareProps {
  firmware: Firmware
  open: boolean
  onClose: () => void
}

/** screens.md 21, page mode 2 更新: version and files are fixed, devices may run them already. */
function EditFirmware({ firmware, open, onClose }: EditFirmwareProps) {
  const { message } = App.useApp()
  const fresh = useFreshFirmware()
  const send = useFirmwareSend()
  const stale = useStaleEdit(firmware.rev, async () => valuesOf(await fresh(firmware.firmwareID)))
  return (
    <FormDrawer
      title={t('编辑固件包「{name} {version}」', { name: firmware.name, version: firmware.version })}
      open={open}
      onClose={onClose}
      schema={updateFirmware.body}
      initialValues={valuesOf(firmware)}
      footerExtra={stale.action}
      onSubmit={async (values) => {
        await stale.guard((rev) =>
          send(updateFirmware, { ...values, desc: values.desc ?? '', extData: values.extData ?? '', rev }),
        )
        void message.success(t('更新成功'))
      }}
    >
      {(form) => {
        stale.bind(form)
        return (
          <>
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
          </>
        )
      }}
    </FormDrawer>
  )
}

type Shown = { kind: 'detail' | 'edit'; firmware: Firmware; open: boolean }

function useFirmwareActions(show: (kind: Shown['kind'], firmware: Firmware) => void) {
  const { ask } = useActs()
  const navigate = useNavigate()
  const send = useFirmwareListSend()
  const download = useDownload()

  const remove = (one: Firmware) =>
    ask({
      title: t('删除固件包「{name} {version}」？', { name: one.name, version: one.version }),
      content: t('文件一并删除，无法恢复；已经完成的升级任务保留记录。'),
      danger: true,
      okText: t('删除'),
      typeToConfirm: one.name,
      work: () => send(deleteFirmware, { firmwareID: one.firmwareID }),
      done: t('删除成功'),
    })

  return (one: Firmware): RowAction[] => {
    const used = one.openTaskCount > 0
    return [
      { key: 'detail', label: t('查看'), onClick: () => show('detail', one) },
      {
        key: 'upgrade',
        label: t('升级'),
        needs: createOtaTask,
        onClick: () => void navigate(newUpgradePath(one.firmwareID)),
      },
      { key: 'edit', label: t('编辑'), needs: updateFirmware, onClick: () => show('edit', one) },
      { key: 'download', label: t('下载'), onClick: () => void download(one.firmwareID) },
      {
        key: 'delete',
        label: t('删除'),
        needs: deleteFirmware,
        danger: true,
        onClick: () => remove(one),
        // screens.md 21: refused by the server too (100019).
        ...(used && {
          disabled: true,
          hint: t('{count} 个升级任务还没有结束，不能删除', { count: one.openTaskCount }),
        }),
      },
    ]
  }
}

/** screens.md 21. */
export function FirmwareList() {
  const [params] = useSearchParams()
  const productID = params.get('productID') ?? undefined
  const [creating, setCreating] = useState(false)
  const [keying, setKeying] = useState(false)
  const [shown, setShown] = useState<Shown>()
  const actionsOf = useFirmwareActions((kind, firmware) => setShown({ kind, firmware, open: true }))
  const columns = useMemo(() => firmwareColumns((firmware) => setShown({ kind: 'detail', firmware, open: true })), [])
  const close = () => setShown(shown && { ...shown, open: false })
  const create = (
    <May needs={createFirmware}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
        {t('新增固件包')}
      </Button>
    </May>
  )
  return (
    <>
      <ListPage<Firmware, FirmwareFilters>
        title={t('固件包管理')}
        subtitle={t('按产品和模块保存固件版本，供升级任务推送')}
        extra={
          <>
            <May needs={saveSigningKey}>
              <Button icon={<KeyOutlined />} onClick={() => setKeying(true)}>
                {t('签名公钥')}
              </Button>
            </May>
            {create}
          </>
        }
        filters={firmwareFields}
        columns={columns}
        rowKey={({ firmwareID }) => String(firmwareID)}
        storageKey="firmware"
        defaultSort="createdTime.2"
        query={filteredFirmware}
        rowActions={actionsOf}
        exportName={t('固件包')}
        empty={{
          title: t('还没有固件包'),
          text: t('上传第一个固件包后，就可以把它推送给一个产品的设备。'),
          action: create,
        }}
      />
      <CreateFirmware open={creating} onClose={() => setCreating(false)} productID={productID} />
      <SigningKey open={keying} onClose={() => setKeying(false)} productID={productID} />
      <FirmwareDetail
        firmwareID={shown?.kind === 'detail' ? shown.firmware.firmwareID : undefined}
        open={shown?.kind === 'detail' && shown.open}
        onClose={close}
      />
      {shown?.kind === 'edit' && (
        <EditFirmware key={shown.firmware.firmwareID} firmware={shown.firmware} open={shown.open} onClose={close} />
      )}
    </>
  )
}
