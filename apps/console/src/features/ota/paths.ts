/** Addresses of the firmware and upgrade screens (spec 2). */
export const firmwarePath = '/operationsMonitorings/firmwareManger/index'
export const upgradePath = '/operationsMonitorings/firmwareUpgrade/index'

const withParams = (path: string, params: Record<string, string | number>): string =>
  `${path}?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))}`

/** screens.md 22: the detail of a task stands in the address of the list. */
export const taskPath = (taskID: number): string => withParams(upgradePath, { taskID })

/** The list of the upgrades that use one package. */
export const firmwareTasksPath = ({ productID, firmwareID }: { productID: string; firmwareID: number }): string =>
  withParams(upgradePath, { productID, firmwareID })

/** Opens the form of a new upgrade with the package chosen. */
export const newTaskPath = (firmwareID: number): string => withParams(upgradePath, { create: firmwareID })

export const productPath = (productID: string): string =>
  `/deviceMangers/product/detail/${encodeURIComponent(productID)}`
