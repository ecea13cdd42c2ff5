import { type Device, DeviceStatus, deviceStatus } from '@ithings/contract/features/devices/info.ts'
import { Alert } from 'antd'
import { Link } from 'react-router'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { relativeTime } from '#kit/time.ts'
import { DeviceTab } from '../detail/tabs.ts'

/** What can still be done with a device that is away (screens.md 6.2). */
export function OfflineBanner({ device, hasShadow }: { device: Device; hasShadow: boolean }) {
  const status = deviceStatus(device)
  if (status === DeviceStatus.online) return null
  if (status === DeviceStatus.inactive) {
    return (
      <Alert
        type="info"
        showIcon
        title={
          <>
            设备还没有连接过平台。用<Link to={deviceDetailPath(device, DeviceTab.credentials)}>密钥</Link>
            里的连接参数接入后，这里会自动出现上报的数据，无需刷新页面。
          </>
        }
      />
    )
  }
  return (
    <Alert
      type="warning"
      showIcon
      action={<Link to={deviceDetailPath(device, DeviceTab.info)}>查看原因</Link>}
      title={`设备离线，最后上线 ${relativeTime(device.lastLogin)}，下面是离线前的值。${
        hasShadow
          ? '启用了影子的属性仍可设置：期望值先写入影子，设备上线取走后生效；其余属性和行为要等设备上线。'
          : '没有属性启用影子，要等设备上线才能下发指令。'
      }`}
    />
  )
}
