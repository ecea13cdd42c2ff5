/** Devices of a product, chosen by name or alias; the server searches. */

import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import { type PickerSource, RemotePicker, type RemotePickerProps } from '#kit/remote-picker.tsx'
import { useMemo } from '#language/use-memo.ts'

const optionOf = ({ deviceName, deviceAlias }: { deviceName: string; deviceAlias: string }) =>
  deviceAlias ? { value: deviceName, label: deviceAlias, hint: deviceName } : { value: deviceName, label: deviceName }

const deviceSource = (productID: string): PickerSource => ({
  key: [listDevices.path, { productID }],
  search: async ({ text, page, size }) => {
    const body = { productID, keyword: text, page: { page, size } }
    const { list, total } = await call(listDevices, body, { quiet: true })
    return { list: list.map(optionOf), total }
  },
  resolve: (names) =>
    Promise.all(
      names.map(async (deviceName) => {
        const body = { productID, deviceName, page: { page: 1, size: 50 } }
        const { list } = await call(listDevices, body, { quiet: true })
        return optionOf(list.find((device) => device.deviceName === deviceName) ?? { deviceName, deviceAlias: '' })
      }),
    ),
})

type WithoutSource<T> = T extends unknown ? Omit<T, 'source'> : never
/** Without a product there is nothing to choose from. */
type DevicePickerProps = WithoutSource<RemotePickerProps> & { productID: string | undefined }

export function DevicePicker({ productID, ...props }: DevicePickerProps) {
  const source = useMemo(() => deviceSource(productID ?? ''), [productID])
  return (
    <RemotePicker
      // What was searched for in another product is of no use here.
      key={productID}
      placeholder={productID ? t('选择设备') : t('先选择产品')}
      disabled={!productID}
      {...props}
      source={source}
    />
  )
}
