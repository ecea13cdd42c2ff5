import { httpMethodLabels } from '@ithings/contract/endpoint.ts'
import { type MenuType, menuTypeLabels } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'

export const methodText = (method: number): string =>
  (httpMethodLabels as Record<number, string>)[method] ?? t('未知（{value}）', { value: method })

export const menuTypeText = (type: number): string => t(menuTypeLabels[type as MenuType] ?? menuTypeLabels[1])
