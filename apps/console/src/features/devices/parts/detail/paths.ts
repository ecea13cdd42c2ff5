/** Addresses of other features that a device leads to (spec 2). */
export const productDetailPath = (productID: string): string =>
  `/deviceMangers/product/detail/${encodeURIComponent(productID)}`

export const groupDetailPath = (groupID: string): string => `/deviceMangers/group/detail/${encodeURIComponent(groupID)}`
