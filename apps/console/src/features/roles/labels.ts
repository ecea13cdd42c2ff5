import { httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { type MenuType, menuTypeLabels } from '@ithings/contract/features/menus.ts'

export const methodText = (method: number): string =>
  (httpMethodLabels as Record<number, string>)[method] ?? `未知（${method}）`

export const menuTypeText = (type: number): string => menuTypeLabels[type as MenuType] ?? menuTypeLabels[1]
