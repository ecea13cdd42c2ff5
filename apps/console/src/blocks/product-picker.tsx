/** A product, chosen by name or id; the server searches. */

import { type DeviceType, listProducts } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
import { call } from '#api/call.ts'
import { labelsQuery, type PickerSource, RemotePicker, type RemotePickerProps } from '#kit/remote-picker.tsx'
import { useMemo } from '#language/use-memo.ts'

const optionOf = ({ productID, productName }: { productID: string; productName: string }) => ({
  value: productID,
  label: productName,
  hint: productID,
})

/** @param deviceType only products of this type */
const productSource = (deviceType?: DeviceType): PickerSource => ({
  key: [listProducts.path, { deviceType }],
  search: async ({ text, page, size }) => {
    const body = { productName: text, page: { page, size }, ...(deviceType !== undefined && { deviceType }) }
    const { list, total } = await call(listProducts, body, { quiet: true })
    return { list: list.map(optionOf), total }
  },
  resolve: async (productIDs) => {
    const page = { page: 1, size: productIDs.length }
    const { list } = await call(listProducts, { productIDs, page }, { quiet: true })
    return list.map(optionOf)
  },
})

export const productLabelsQuery = (productIDs: readonly string[]) => labelsQuery(productSource(), productIDs)

type WithoutSource<T> = T extends unknown ? Omit<T, 'source'> : never
export type ProductPickerProps = WithoutSource<RemotePickerProps> & { deviceType?: DeviceType }

export function ProductPicker({ deviceType, ...props }: ProductPickerProps) {
  const source = useMemo(() => productSource(deviceType), [deviceType])
  return <RemotePicker placeholder={t('选择产品')} {...props} source={source} />
}
