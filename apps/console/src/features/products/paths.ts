/** Addresses that product screens lead to. */
export const productListPath = '/deviceMangers/product/index'

export type ProductTab = 'info' | 'model' | 'topic' | 'script' | 'devices'

export const productPath = (productID: string, tab?: ProductTab): string =>
  `/deviceMangers/product/detail/${encodeURIComponent(productID)}${tab ? `?tab=${tab}` : ''}`

export const devicesPath = (productID: string): string =>
  `/deviceMangers/device/index?${new URLSearchParams({ productID })}`
