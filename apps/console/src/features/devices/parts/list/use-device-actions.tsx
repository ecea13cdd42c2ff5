import type { Device } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import { App } from 'antd'
import { useNavigate } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { deviceTitle } from '../../labels.ts'
import { useDeleteDevice } from '../../queries.ts'

const subDeviceTab = 7

/** What goes with a device, in the words of every delete dialog. */
export const deletedWith = (device: Pick<Device, 'deviceType'>): string =>
  device.deviceType === DeviceType.gateway
    ? '它的秘钥、历史数据、日志和分组关系一起删除，无法恢复。绑定的子设备保留，但会与它解绑。'
    : '它的秘钥、历史数据、日志、分组和网关绑定关系一起删除，无法恢复。'

export function useDeviceActions(onEdit: (device: Device) => void): (device: Device) => RowAction[] {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const remove = useDeleteDevice()

  const askDelete = (device: Device) =>
    confirm({
      title: `删除设备「${deviceTitle(device)}」？`,
      content: deletedWith(device),
      danger: true,
      okText: '删除',
      onOk: async () => {
        await remove.mutateAsync(device)
        void message.success('删除成功')
      },
    })

  return (device) => [
    { key: 'read', label: '查看', onClick: () => void navigate(deviceDetailPath(device)) },
    { key: 'edit', label: '编辑', onClick: () => onEdit(device) },
    ...(device.deviceType === DeviceType.gateway
      ? [{ key: 'sub', label: '子设备管理', onClick: () => void navigate(deviceDetailPath(device, subDeviceTab)) }]
      : []),
    { key: 'delete', label: '删除', danger: true, onClick: () => askDelete(device) },
  ]
}
