import { BusinessType, businessTypeLabels, httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { type MenuType, menuTypeLabels } from '@ithings/contract/features/menus.ts'
import { EnabledStatus, enabledStatusLabels } from '@ithings/contract/features/users.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const statusLooks: StatusLooks = {
  [EnabledStatus.enabled]: { text: enabledStatusLabels[EnabledStatus.enabled], tone: 'success' },
  [EnabledStatus.disabled]: { text: enabledStatusLabels[EnabledStatus.disabled], tone: 'error' },
}

export const statusOptions = Object.values(EnabledStatus).map((value) => ({
  value,
  label: enabledStatusLabels[value],
}))

/** spec 3: each operation type has a colour; screens.md 0.1 names them: blue, red, yellow, green, grey. */
export const businessTypeLooks: StatusLooks = {
  [BusinessType.add]: { text: businessTypeLabels[BusinessType.add], tone: 'processing' },
  [BusinessType.delete]: { text: businessTypeLabels[BusinessType.delete], tone: 'error' },
  [BusinessType.modify]: { text: businessTypeLabels[BusinessType.modify], tone: 'warning' },
  [BusinessType.query]: { text: businessTypeLabels[BusinessType.query], tone: 'success' },
  [BusinessType.other]: { text: businessTypeLabels[BusinessType.other], tone: 'default' },
}

export const businessTypeOptions = Object.values(BusinessType).map((value) => ({
  value,
  label: businessTypeLabels[value],
}))

export const methodText = (method: number): string =>
  (httpMethodLabels as Record<number, string>)[method] ?? `未知(${method})`

export const menuTypeText = (type: number): string => menuTypeLabels[type as MenuType] ?? menuTypeLabels[1]

/** spec 6: the menu group that only role 1 can open, whatever a role was given. */
const adminGroup = '/systemMangers'
export const isAdminPath = (path: string): boolean => path === adminGroup || path.startsWith(`${adminGroup}/`)
