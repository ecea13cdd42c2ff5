/** spec 3, 4: the status of a device as every screen shows it, and the small tag of its type. */
import { DeviceStatus, deviceStatus, deviceStatusLabels } from '@ithings/contract/features/devices/info.ts'
import { DeviceType, deviceTypeLabels } from '@ithings/contract/features/products/info.ts'
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
