import { type MenuIcon, MenuType, menuTypeLabels } from '@ithings/contract/features/menus.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const menuTypeLooks: StatusLooks = {
  [MenuType.directory]: { text: menuTypeLabels[MenuType.directory], tone: 'default' },
  [MenuType.page]: { text: menuTypeLabels[MenuType.page], tone: 'processing' },
  [MenuType.button]: { text: menuTypeLabels[MenuType.button], tone: 'warning' },
}

export const menuTypeHints: Record<MenuType, string> = {
  [MenuType.directory]: '只用来分组，点开后显示下级菜单。',
  [MenuType.page]: '打开一个页面。',
  [MenuType.button]: '不显示在左侧菜单中，用来在角色里分配页面内的操作。',
}

/** Names of the thirteen icons (spec 2), for tooltips and screen readers. */
export const menuIconNames: Record<MenuIcon, string> = {
  icon_system: '系统',
  icon_ithings: '平台',
  icon_cloud_monitor: '云监控',
  icon_dosing: '加药',
  icon_device: '设备',
  icon_feedwater: '给水',
  icon_ecosystem: '生态',
  icon_sewage: '污水',
  icon_electric: '电力',
  icon_heat: '供热',
  icon_ap: '无线接入',
  icon_hvac: '暖通',
  icon_data_01: '数据',
}
