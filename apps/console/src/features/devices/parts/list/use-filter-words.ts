import { listProducts } from '@ithings/contract/features/products/info.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { allGroupsQuery } from '#blocks/groups-query.ts'
import { type DeviceFilters, readGroupChoice } from './device-filters.tsx'

/** Names of the product and the group that the URL holds by number. */
export function useFilterWords({ productID, group }: DeviceFilters) {
  const products = useQuery({
    queryKey: [listProducts.path, 'name-of', productID],
    queryFn: ({ signal }) => call(listProducts, { productIDs: [productID ?? ''] }, { quiet: true, signal }),
    enabled: productID !== undefined,
  })
  const choice = readGroupChoice(group)
  const groups = useQuery({ ...allGroupsQuery, enabled: choice !== undefined })
  const groupName = groups.data?.find((one) => one.groupID === choice?.groupID)?.groupName
  return {
    productName: products.data?.list[0]?.productName,
    groupName: groupName && (choice?.includeChildren ? `${groupName}（含子分组）` : groupName),
  }
}
