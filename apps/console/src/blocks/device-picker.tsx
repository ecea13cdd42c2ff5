/** A device, chosen by name or alias; the server searches. The value is `productID/deviceName`. */
import { type DeviceFilter, type DeviceKey, listDevices } from '@ithings/contract/features/devices/info.ts'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { type PickerSource, RemotePicker, type RemotePickerProps } from '#kit/remote-picker.tsx'

/** Neither part may hold a slash: product ids are letters and digits. */
export const deviceValue = ({ productID, deviceName }: DeviceKey): string => `${productID}/${deviceName}`

export function deviceOfValue(value: string): DeviceKey {
  const at = value.indexOf('/')
  return { productID: value.slice(0, at), deviceName: value.slice(at + 1) }
}

const optionOf = (device: DeviceKey & { deviceAlias: string; productName: string }) => ({
  value: deviceValue(device),
  label: device.deviceAlias ? `${device.deviceAlias}（${device.deviceName}）` : device.deviceName,
  hint: device.productName,
})

type Scope = Pick<DeviceFilter, 'productID' | 'deviceType' | 'notInGroupID' | 'inGroupID'>

const deviceSource = (scope: Scope): PickerSource => ({
  key: [listDevices.path, scope],
  search: async ({ text, page, size }) => {
    const { list, total } = await call(listDevices, { ...scope, keyword: text, page: { page, size } }, { quiet: true })
    return { list: list.map(optionOf), total }
  },
})

type WithoutSource<T> = T extends unknown ? Omit<T, 'source'> : never
export type DevicePickerProps = WithoutSource<RemotePickerProps> & { scope?: Scope }

const everywhere: Scope = {}

export function DevicePicker({ scope = everywhere, ...props }: DevicePickerProps) {
  const source = useMemo(() => deviceSource(scope), [scope])
  return <RemotePicker placeholder="选择设备" {...props} source={source} />
}
