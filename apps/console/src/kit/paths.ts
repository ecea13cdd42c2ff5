/** The address of every screen (spec 2): the route table and every link take it from here. */
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'

/** As the route table has them; what begins with a colon is filled by the functions below. */
export const paths = {
  account: '/account/index',
  ownKeys: '/account/apiKey/index',
  help: '/help/:page',
  home: '/home',
  products: '/deviceMangers/product/index',
  product: '/deviceMangers/product/detail/:id',
  devices: '/deviceMangers/device/index',
  device: '/deviceMangers/device/detail/:id/:name/:type',
  tasks: '/deviceMangers/createDeviceTask/index',
  groups: '/deviceMangers/group/index',
  group: '/deviceMangers/group/detail/:id',
  scenes: '/ruleEngine/scene/index',
  scene: '/ruleEngine/scene/detail',
  forwards: '/ruleEngine/forward/index',
  onlineDebug: '/operationsMonitorings/onlineDebugs/index',
  logService: '/operationsMonitorings/logService/index',
  upgrades: '/operationsMonitorings/firmwareUpgrade/index',
  firmware: '/operationsMonitorings/firmwareManger/index',
  remoteConfig: '/operationsMonitorings/remoteConfiguration/index',
  reports: '/operationsMonitorings/report/index',
  alarms: '/alarmMangers/alarmConfiguration/index',
  alarmSave: '/alarmMangers/alarmConfiguration/save',
  alarmQueue: '/alarmMangers/alarmConfiguration/log',
  alarmLog: '/alarmMangers/alarmConfiguration/log/detail/:id/:level',
  notify: '/alarmMangers/notify/index',
  users: '/systemMangers/user/index',
  roles: '/systemMangers/role/index',
  role: '/systemMangers/role/detail/:id',
  menus: '/systemMangers/menu/index',
  apis: '/systemMangers/api/index',
  apiKeys: '/systemMangers/apiKey/index',
  loginLog: '/systemMangers/log/loginLog/index',
  operationLog: '/systemMangers/log/operationLog/index',
  jobs: '/systemMangers/job/index',
  settings: '/systemMangers/setting/index',
  cluster: '/systemMangers/cluster/index',
  signOn: '/systemMangers/signOn/index',
  plans: '/systemMangers/plan/index',
} as const

/** spec 6: the only menu group with the access rule canAdmin, whatever a role was given. */
const adminGroup = '/systemMangers'
export const isAdminPath = (path: string): boolean => path === adminGroup || path.startsWith(`${adminGroup}/`)

/** Names may hold `:`, `@` and spaces, so each is written safely. */
const filled = (pattern: string, ...values: (string | number)[]): string =>
  values.reduce<string>((path, value) => path.replace(/:\w+/, () => encodeURIComponent(value)), pattern)

/** The address with its parameters; those without a value are left out. */
export function withParams(path: string, params: Record<string, string | number | undefined>): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '')
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return query ? `${path}?${query}` : path
}

export type ProductTab = 'info' | 'model' | 'topic' | 'script' | 'devices'
export const productPath = (productID: string, tab?: ProductTab): string =>
  withParams(filled(paths.product, productID), { tab })

/** Tab 1 is the device's information. */
export const deviceDetailPath = (device: { productID: string; deviceName: string }, tab = 1): string =>
  filled(paths.device, device.productID, device.deviceName, tab)
export const devicesOfProductPath = (productID: string): string => withParams(paths.devices, { productID })
/** The same list with the form for a new device of the product. */
export const newDevicePath = (productID: string): string => withParams(paths.devices, { productID, create: 1 })

export const groupDetailPath = (groupID: string): string => filled(paths.group, groupID)
/** The tree with this group beside it. */
export const groupInTreePath = (groupID: string): string => withParams(paths.groups, { id: groupID })

/** What a new alarm begins with: its product, and the property that is above the value. */
export interface SceneStart {
  productID: string
  dataID?: string
  value?: string
}
/** What a new scene of an alarm begins with. */
export interface AlarmStart {
  alarmID: string
  name: string
}
/** One address for the new scene and the old one (screens.md 11). */
export const newScenePath = (type: TriggerType, start?: AlarmStart): string =>
  withParams(paths.scene, { type, ...start })
/** An alarm together with the scene that raises it. */
export const newAlarmPath = (start?: SceneStart): string => withParams(paths.scene, { type: 'alarm', ...start })
export const scenePath = (id: number): string => withParams(paths.scene, { id })

export const alarmEditPath = (id: number, tab?: string): string => withParams(paths.alarmSave, { id, tab })
/** The queue with this record open beside it; handled ones are under 全部. */
export const recordPath = (id: number): string => withParams(paths.alarmQueue, { tab: 'all', record: id })
/** The level is part of old links; the page reads it from the server. */
export const alarmLogPath = ({ id, level }: { id: number; level: number }): string => filled(paths.alarmLog, id, level)

/** The detail of an upgrade stands in the address of the list (screens.md 22). */
export const upgradePath = (taskID: number): string => withParams(paths.upgrades, { taskID })
/** The upgrade with the row of this device; stages do not hide it. */
export const upgradeOfDevicePath = (taskID: number, deviceName: string): string =>
  withParams(paths.upgrades, { taskID, 'd-name': deviceName, 'd-scope': 'all' })
/** The upgrades that use one package. */
export const firmwareTasksPath = ({ productID, firmwareID }: { productID: string; firmwareID: number }): string =>
  withParams(paths.upgrades, { productID, firmwareID })
/** Opens the form of a new upgrade with the package chosen. */
export const newUpgradePath = (firmwareID: number): string => withParams(paths.upgrades, { create: firmwareID })

export const productConfigPath = (productID: string): string => withParams(paths.remoteConfig, { productID })
/** The versions of a product's configuration, this one open; '': none of them. */
export const configVersionPath = (productID: string, version: string): string =>
  withParams(paths.remoteConfig, { productID, tab: 'versions', version })

export const rolePath = (id: number, tab?: 'members'): string => withParams(filled(paths.role, id), { tab })
/** Those that nobody has decided on. */
export const waitingPlansPath: string = withParams(paths.plans, { state: 1 })
export const usersOfRolePath = (role: number): string => withParams(paths.users, { role })

/** The guides that come with the console (docs/). */
export const helpPages = [
  { key: 'operator-guide', title: '操作手册' },
  { key: 'device-guide', title: '设备接入手册' },
  { key: 'api', title: '接口手册' },
  { key: 'assistant', title: '助手（MCP）' },
  { key: 'cli', title: '命令行' },
  { key: 'deployment', title: '容器部署' },
  { key: 'configuration', title: '配置参考' },
] as const
export type HelpPage = (typeof helpPages)[number]['key']
/** @param section anchor of a heading, as GitHub makes it */
export const helpPath = (page: HelpPage = 'operator-guide', section?: string): string =>
  `${filled(paths.help, page)}${section ? `#${encodeURIComponent(section)}` : ''}`
