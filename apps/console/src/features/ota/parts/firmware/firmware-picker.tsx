/** A package of a product, chosen by name or version; the server searches. */

import { type Firmware, listFirmware, readFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'
import { sizeText } from '#kit/size-text.ts'
import { useMemo } from '#language/use-memo.ts'

const optionOf = ({ firmwareID, name, version, size }: Pick<Firmware, 'firmwareID' | 'name' | 'version' | 'size'>) => ({
  value: String(firmwareID),
  label: `${name} ${version}`,
  hint: sizeText(size),
})

const sourceOf = (productID: string): PickerSource => ({
  key: [listFirmware.path, { productID }],
  search: async ({ text, page, size }) => {
    const orders = [{ field: 'createdTime', sort: 2 as const }]
    const { list, total } = await call(
      listFirmware,
      { productID, name: text, page: { page, size, orders } },
      { quiet: true },
    )
    return { list: list.map(optionOf), total }
  },
  resolve: (ids) =>
    Promise.all(ids.map(async (id) => optionOf(await call(readFirmware, { firmwareID: Number(id) }, { quiet: true })))),
})

interface FirmwarePickerProps {
  /** Empty: of all products. */
  productID: string
  id?: string
  value?: string | undefined
  onChange?: (firmwareID: string | undefined) => void
  placeholder?: string
  disabled?: boolean
}

export function FirmwarePicker({ productID, ...props }: FirmwarePickerProps) {
  const source = useMemo(() => sourceOf(productID), [productID])
  return <RemotePicker key={productID} placeholder={t('选择固件')} {...props} source={source} />
}
