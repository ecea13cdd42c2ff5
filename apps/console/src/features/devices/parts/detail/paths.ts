/** Addresses of other features that a device leads to (spec 2). */
export const productDetailPath = (productID: string): string =>
  `/deviceMangers/product/detail/${encodeURIComponent(productID)}`

export const groupDetailPath = (groupID: string): string => `/deviceMangers/group/detail/${encodeURIComponent(groupID)}`

/** The upgrade task with the row of this device; stages do not hide it. */
export const upgradeTaskPath = (taskID: number, deviceName: string): string =>
  `/operationsMonitorings/firmwareUpgrade/index?${new URLSearchParams({ taskID: String(taskID), 'd-name': deviceName, 'd-scope': 'all' })}`

/** The versions of a product's configuration, this one open; '': none of them. */
export const configVersionPath = (productID: string, version: string): string =>
  `/operationsMonitorings/remoteConfiguration/index?${new URLSearchParams({ productID, tab: 'versions', ...(version && { version }) })}`
