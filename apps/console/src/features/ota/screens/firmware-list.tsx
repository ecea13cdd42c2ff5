import { KeyOutlined } from '@ant-design/icons'
import {
  createFirmware,
  deleteFirmware,
  type Firmware,
  saveSigningKey,
  updateFirmware,
} from '@ithings/contract/features/ota/firmware.ts'
import { createOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useActs } from '#blocks/rollout/use-acts.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { newUpgradePath } from '#kit/paths.ts'
import { ActButton } from '#kit/rights.tsx'
import { WhenOpened } from '#kit/when-opened.tsx'
import { useMemo } from '#language/use-memo.ts'
import '../parts/firmware/firmware.css'
import {
  type FirmwareFilters,
  filteredFirmware,
  firmwareColumns,
  firmwareFields,
} from '../parts/firmware/firmware-columns.tsx'
import { useDownload } from '../parts/firmware/use-download.ts'
import { useFirmwareListSend } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const CreateFirmware = lazy(async () => ({
  default: (await import('../parts/firmware/create-firmware.tsx')).CreateFirmware,
}))
const EditFirmware = lazy(async () => ({ default: (await import('../parts/firmware/edit-firmware.tsx')).EditFirmware }))
const FirmwareDetail = lazy(async () => ({
  default: (await import('../parts/firmware/firmware-detail.tsx')).FirmwareDetail,
}))
const SigningKey = lazy(async () => ({ default: (await import('../parts/firmware/signing-key.tsx')).SigningKey }))

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
  return (
    <>
      <ListPage<Firmware, FirmwareFilters>
        title={t('固件包管理')}
        subtitle={t('按产品和模块保存固件版本，供升级任务推送')}
        create={{ text: t('新增固件包'), needs: createFirmware, onClick: () => setCreating(true) }}
        extra={
          <ActButton needs={saveSigningKey} icon={<KeyOutlined />} onClick={() => setKeying(true)}>
            {t('签名公钥')}
          </ActButton>
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
        }}
      />
      <WhenOpened open={creating}>
        <CreateFirmware open={creating} onClose={() => setCreating(false)} productID={productID} />
      </WhenOpened>
      <WhenOpened open={keying}>
        <SigningKey open={keying} onClose={() => setKeying(false)} productID={productID} />
      </WhenOpened>
      <WhenOpened open={shown?.kind === 'detail'}>
        <FirmwareDetail
          firmwareID={shown?.kind === 'detail' ? shown.firmware.firmwareID : undefined}
          open={shown?.kind === 'detail' && shown.open}
          onClose={close}
        />
      </WhenOpened>
      <Suspense>
        {shown?.kind === 'edit' && (
          <EditFirmware key={shown.firmware.firmwareID} firmware={shown.firmware} open={shown.open} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
