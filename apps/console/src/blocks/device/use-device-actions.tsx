import { simulateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { type Device, deleteDevice, updateDevice, YesNo } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { App } from 'antd'
import { useNavigate } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { deviceDetailPath } from '#kit/paths.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { deviceTitle } from './labels.ts'
import { useDeleteDevice, useSimulateDevices } from './queries.ts'
import { DeviceTab } from './tabs.ts'

/** What goes with a device, in the words of every delete dialog. */
export const deletedWith = (device: Pick<Device, 'deviceType'>): string =>
  device.deviceType === DeviceType.gateway
    ? t('它的密钥、历史数据、日志和分组关系一起删除，无法恢复。绑定的子设备保留，但会与它解绑。')
    : t('它的密钥、历史数据、日志、分组和网关绑定关系一起删除，无法恢复。')

export function useDeviceActions(onEdit: (device: Device) => void): (device: Device) => RowAction[] {
  const { message } = App.useApp()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const remove = useDeleteDevice()
  const simulate = useSimulateDevices()

  const askDelete = (device: Device) =>
    confirm({
      title: t('删除设备「{deviceTitle}」？', { deviceTitle: deviceTitle(device) }),
      content: deletedWith(device),
      danger: true,
      okText: t('删除'),
      onOk: () => remove.mutateAsync(device),
      done: t('删除成功'),
    })

  const setSimulated = async (device: Device, on: boolean) => {
    try {
      const { failed } = await simulate.mutateAsync({ list: [device], on })
      if (failed[0]) void message.error(failed[0].msg)
      else void message.success(on ? t('已开始模拟') : t('已停止模拟'))
    } catch (error) {
      void message.error(describeError(error).reason)
    }
  }

  const askSimulate = (device: Device) =>
    confirm({
      title: t('模拟设备「{deviceTitle}」？', { deviceTitle: deviceTitle(device) }),
      content: t('平台代替设备连接、按物模型上报数据并执行指令，直到停止模拟。真实设备连上时会与模拟的互相顶替。'),
      okText: t('开始模拟'),
      onOk: () => setSimulated(device, true),
    })

  return (device) => [
    { key: 'read', label: t('查看'), onClick: () => void navigate(deviceDetailPath(device)) },
    { key: 'edit', label: t('编辑'), needs: updateDevice, onClick: () => onEdit(device) },
    ...(device.deviceType === DeviceType.gateway
      ? [
          {
            key: 'sub',
            label: t('子设备管理'),
            onClick: () => void navigate(deviceDetailPath(device, DeviceTab.subDevices)),
          },
        ]
      : []),
    ...(device.deviceType === DeviceType.subDevice
      ? []
      : [
          device.isSimulated === YesNo.yes
            ? {
                key: 'real',
                label: t('停止模拟'),
                needs: simulateDevices,
                onClick: () => void setSimulated(device, false),
              }
            : {
                key: 'simulate',
                label: t('模拟设备', { context: 'verb' }),
                needs: simulateDevices,
                onClick: () => askSimulate(device),
              },
        ]),
    { key: 'delete', label: t('删除'), needs: deleteDevice, danger: true, onClick: () => askDelete(device) },
  ]
}
