/** spec 3, 4: the status of a device as every screen shows it, and the small tag of its type. */

import { ApiOutlined, ClusterOutlined, HddOutlined } from '@ant-design/icons'
import { DeviceStatus, deviceStatus, deviceStatusLabels, YesNo } from '@ithings/contract/features/devices/info.ts'
import { DeviceType, deviceTypeLabels } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { type StatusLooks, StatusTag } from '#kit/status-tag.tsx'

export const deviceStatusLooks: StatusLooks = {
  [DeviceStatus.online]: { text: deviceStatusLabels[DeviceStatus.online], tone: 'success' },
  [DeviceStatus.offline]: { text: deviceStatusLabels[DeviceStatus.offline], tone: 'error' },
  [DeviceStatus.inactive]: { text: deviceStatusLabels[DeviceStatus.inactive], tone: 'warning', ring: true },
}

export const deviceStatusOptions = Object.values(DeviceStatus).map((value) => ({
  value,
  label: deviceStatusLabels[value],
}))

interface DeviceStatusTagProps {
  device: { firstLogin: string; isOnline: number }
  filled?: boolean
}

export const DeviceStatusTag = ({ device, filled = false }: DeviceStatusTagProps) => (
  <StatusTag looks={deviceStatusLooks} value={deviceStatus(device)} filled={filled} />
)

const deviceTypeLooks: StatusLooks = {
  [DeviceType.device]: { text: deviceTypeLabels[DeviceType.device], tone: 'default' },
  [DeviceType.gateway]: { text: deviceTypeLabels[DeviceType.gateway], tone: 'processing' },
  [DeviceType.subDevice]: { text: deviceTypeLabels[DeviceType.subDevice], tone: 'default' },
}

export const deviceTypeOptions = Object.values(DeviceType).map((value) => ({ value, label: deviceTypeLabels[value] }))

export const DeviceTypeTag = ({ value }: { value: number }) => (
  <StatusTag filled looks={deviceTypeLooks} value={value} />
)

const glyphs: Readonly<Record<number, typeof HddOutlined>> = {
  [DeviceType.gateway]: ClusterOutlined,
  [DeviceType.subDevice]: ApiOutlined,
}

/** The picture of a device by its type. */
export const deviceGlyphs = (type: number): typeof HddOutlined => glyphs[type] ?? HddOutlined

/** What a device is that most are not: disabled, or played by the platform. */
export const NotUsual = ({ device }: { device: { isEnable: number; isSimulated: number } }) => (
  <>
    {device.isEnable === YesNo.no && <StatusTag filled text={t('已禁用')} tone="default" />}
    {device.isSimulated === YesNo.yes && <StatusTag filled text={t('模拟')} tone="default" />}
  </>
)
