import { KeyOutlined, PlusOutlined } from '@ant-design/icons'
import {
  createFirmware,
  deleteFirmware,
  type Firmware,
  saveSigningKey,
  updateFirmware,
} from '@ithings/contract/features/ota/firmware.ts'
import { createOtaTask } from '@ithings/contract/features/ota/task.ts'
import { App, Button } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { CreateFirmware } from '../parts/firmware/create-firmware.tsx'
import { EditFirmware } from '../parts/firmware/edit-firmware.tsx'
import { newTaskPath } from '../paths.ts'
import '../parts/firmware/firmware.css'
import { firmwareColumns } from '../parts/firmware/firmware-columns.tsx'
import { FirmwareDetail, useDownload } from '../parts/firmware/firmware-detail.tsx'
import { type FirmwareFilters, filteredFirmware, firmwareFields } from '../parts/firmware/firmware-filters.tsx'
import { SigningKey } from '../parts/firmware/signing-key.tsx'
import { useFirmwareWork } from '../queries.ts'

type Shown = { kind: 'detail' | 'edit'; firmware: Firmware; open: boolean }

function useFirmwareActions(show: (kind: Shown['kind'], firmware: Firmware) => void) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const work = useFirmwareWork()
  const download = useDownload()

  const remove = (one: Firmware) =>
    confirm({
      title: `删除固件包「${one.name} ${one.version}」？`,
      content: '文件一并删除，无法恢复；已经完成的升级任务保留记录。',
      danger: true,
      okText: '删除',
      typeToConfirm: one.name,
      onOk: async () => {
        await work.remove(one.firmwareID)
        void message.success('删除成功')
      },
    })

  return (one: Firmware): RowAction[] => {
    const used = one.openTaskCount > 0
    return [
      { key: 'detail', label: '查看', onClick: () => show('detail', one) },
      {
        key: 'upgrade',
        label: '升级',
        needs: createOtaTask,
        onClick: () => void navigate(newTaskPath(one.firmwareID)),
      },
      { key: 'edit', label: '编辑', needs: updateFirmware, onClick: () => show('edit', one) },
      { key: 'download', label: '下载', onClick: () => void download(one.firmwareID) },
      {
        key: 'delete',
        label: '删除',
        needs: deleteFirmware,
        danger: true,
        onClick: () => remove(one),
        // screens.md 21: refused by the server too (100019).
        ...(used && { disabled: true, hint: `${one.openTaskCount} 个升级任务还没有结束，不能删除` }),
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
        新增固件包
      </Button>
    </May>
  )
  return (
    <>
      <ListPage<Firmware, FirmwareFilters>
        title="固件包管理"
        subtitle="按产品和模块保存固件版本，供升级任务推送"
        extra={
          <>
            <May needs={saveSigningKey}>
              <Button icon={<KeyOutlined />} onClick={() => setKeying(true)}>
                签名公钥
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
        exportName="固件包"
        empty={{
          title: '还没有固件包',
          text: '上传第一个固件包后，就可以把它推送给一个产品的设备。',
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
