/** Addresses that product screens lead to. */
export const productListPath = '/deviceMangers/product/index'

export type ProductTab = 'info' | 'model' | 'topic' | 'script' | 'devices'

export const productPath = (productID: string, tab?: ProductTab): string =>
  `/deviceMangers/product/detail/${encodeURIComponent(productID)}${tab ? `?tab=${tab}` : ''}`

export const devicesPath = (productID: string): string =>
  `/deviceMangers/device/index?${new URLSearchParams({ productID })}`

/** The same list with the form for a new device of the product. */
export const newDevicePath = (productID: string): string => `${devicesPath(productID)}&create=1`
