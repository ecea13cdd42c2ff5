/** Every screen of the console and the tabs and drawers that have an address of their own, opened for real things. */
import type { FleetFacts } from './fleet-facts.ts'

export interface Stop {
  path: string
  /** Of its picture. */
  name: string
  /** Of the page's heading. */
  title: RegExp
  /** A link or a reload leads here, or a click that rearranges the page, which is no jump; so it is always loaded. */
  anew?: true
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Begins with this text; status and tags may follow. */
const begins = (text: string): RegExp => new RegExp(`^${literally(text)}`)

const tabsOf = (base: string, name: string, title: RegExp, tabs: Record<string, string>): Stop[] =>
  Object.entries(tabs).map(([end, part]) => ({ path: `${base}${end}`, name: `${name}-${part}`, title }))

function thingStops({ product, device, gateway, group, task }: FleetFacts): Stop[] {
  const { productID, productName } = product
  const { deviceName, deviceAlias } = device
  const devicePath = '/deviceMangers/device/detail'
  return [
    { path: '/deviceMangers/product/index', name: 'product-list', title: /^产品/ },
    ...tabsOf(`/deviceMangers/product/detail/${productID}`, 'product', begins(productName), {
      '': 'info',
      '?tab=model': 'model',
      '?tab=topic': 'topic',
      '?tab=script': 'script',
      '?tab=devices': 'devices',
    }),
    { path: '/deviceMangers/device/index', name: 'device-list', title: /^设备/ },
    ...tabsOf(`${devicePath}/${productID}/${deviceName}`, 'device', begins(deviceAlias), {
      '/1': 'info',
      '/2': 'diagnosis',
      '/3': 'cloud-log',
      '/3?kind=online': 'sessions',
      '/4': 'local-log',
      '/5': 'shadow',
      '/6': 'debug',
      '/8': 'credentials',
      '/9': 'status',
      '/10': 'data',
      '/10?view=events': 'events',
      '/10?view=commands': 'commands',
      '/11': 'groups',
      '/12': 'topics',
      '/13': 'alarms',
    }),
    {
      path: `${devicePath}/${gateway.productID}/${gateway.deviceName}/7`,
      name: 'sub-devices',
      title: begins(gateway.deviceAlias),
    },
    { path: '/deviceMangers/group/index', name: 'group-list', title: /^分组/ },
    { path: `/deviceMangers/group/index?id=${group.groupID}`, name: 'group-in-tree', title: /^分组/ },
    ...tabsOf(`/deviceMangers/group/detail/${group.groupID}`, 'group', begins(group.groupName), {
      '': 'devices',
      '?tab=groups': 'below',
      '?tab=info': 'info',
    }),
    ...tabsOf('/deviceMangers/createDeviceTask/index', 'task', /^任务/, {
      '': 'list',
      [`?taskID=${task.taskID}`]: 'devices',
      [`?taskID=${task.taskID}&tab=runs`]: 'runs',
      [`?taskID=${task.taskID}&tab=config`]: 'config',
    }),
  ]
}

function operationStops({ product: { productID, productName }, device, upgrade }: FleetFacts): Stop[] {
  const base = '/operationsMonitorings'
  const config = `${base}/remoteConfiguration/index`
  const upgrades = `${base}/firmwareUpgrade/index`
  // A phone has room for the product or for the list it is chosen from.
  const besideList = new RegExp(`^远程配置|${begins(productName).source}`)
  return [
    ...tabsOf(`${base}/onlineDebugs/index`, 'online-debug', /^在线调试/, {
      '': 'blank',
      [`?productID=${productID}&deviceName=${device.deviceName}`]: 'device',
    }),
    ...tabsOf(`${base}/logService/index?productID=${productID}`, 'log-service', /^日志服务/, {
      '': 'hub',
      '&tab=local': 'local',
    }),
    { path: config, name: 'remote-config', title: /^远程配置/ },
    ...tabsOf(`${config}?productID=${productID}`, 'remote-config', besideList, {
      '': 'edit',
      '&tab=versions': 'versions',
      '&tab=pushes': 'pushes',
      '&tab=devices': 'devices',
    }),
    { path: `${base}/report/index`, name: 'report-list', title: /^报表/ },
    { path: `${base}/firmwareManger/index`, name: 'firmware-list', title: /^固件包管理/ },
    { path: upgrades, name: 'upgrade-list', title: /^固件升级/ },
    { path: `${upgrades}?create=`, name: 'upgrade-new', title: /^固件升级/ },
    {
      path: `${upgrades}?taskID=${upgrade.taskID}`,
      name: 'upgrade-detail',
      title: begins(`${upgrade.firmwareName} ${upgrade.version}`),
    },
  ]
}

function ruleStops({ scenes, alarm, record }: FleetFacts): Stop[] {
  const base = '/alarmMangers/alarmConfiguration'
  return [
    { path: '/ruleEngine/scene/index', name: 'scene-list', title: /^场景联动/ },
    { path: '/ruleEngine/scene/detail', name: 'scene-choose', title: /^新增场景/ },
    { path: '/ruleEngine/scene/detail?type=device', name: 'scene-new', title: /^新增场景/ },
    ...scenes.map(({ id, name, triggerType }) => ({
      path: `/ruleEngine/scene/detail?id=${id}`,
      name: `scene-${triggerType}`,
      title: begins(name),
    })),
    { path: '/ruleEngine/forward/index', name: 'forward-list', title: /^数据转发/ },
    { path: `${base}/index`, name: 'alarm-list', title: /^告警配置/ },
    { path: `${base}/save`, name: 'alarm-new', title: /^新增告警/ },
    ...tabsOf(`${base}/save?id=${alarm.id}`, 'alarm', begins(alarm.name), {
      '': 'base',
      '&tab=scenes': 'scenes',
      '&tab=notify': 'notify',
      '&tab=records': 'records',
    }),
    { path: `${base}/log`, name: 'alarm-queue', title: /^告警记录/ },
    { path: `${base}/log?record=${record.id}`, name: 'alarm-record', title: /^告警记录/, anew: true },
    {
      path: `${base}/log/detail/${record.id}/${record.level}`,
      name: 'alarm-log',
      title: new RegExp(literally(record.alarmName)),
    },
    { path: '/alarmMangers/notify/index', name: 'notify-channels', title: /^通知渠道/ },
    { path: '/alarmMangers/notify/index?tab=log', name: 'notify-deliveries', title: /^通知渠道/ },
  ]
}

function systemStops({ role }: FleetFacts): Stop[] {
  const base = '/systemMangers'
  return [
    { path: `${base}/job/index`, name: 'job-list', title: /^后台任务/ },
    { path: `${base}/user/index`, name: 'user-list', title: /^用户管理/ },
    { path: `${base}/role/index`, name: 'role-list', title: /^角色管理/ },
    ...tabsOf(`${base}/role/detail/${role.id}`, 'role', begins(role.name), { '': 'rights', '?tab=members': 'members' }),
    { path: `${base}/menu/index`, name: 'menu-list', title: /^菜单管理/ },
    { path: `${base}/api/index`, name: 'api-list', title: /^接口管理/ },
    { path: `${base}/apiKey/index`, name: 'api-key-list', title: /^API 密钥/ },
    { path: `${base}/signOn/index`, name: 'sign-on-list', title: /^企业登录/ },
    { path: `${base}/plan/index`, name: 'plan-list', title: /^配置计划/ },
    { path: `${base}/log/loginLog/index`, name: 'login-log', title: /^登录日志/ },
    { path: `${base}/log/operationLog/index`, name: 'operation-log', title: /^操作日志/ },
    { path: `${base}/cluster/index`, name: 'cluster', title: /^集群/ },
    { path: `${base}/setting/index`, name: 'settings', title: /^系统设置/ },
    { path: '/account/index', name: 'profile', title: /^个人中心/ },
    { path: '/account/apiKey/index', name: 'own-key-list', title: /^我的 API 密钥/ },
    { path: '/help/operator-guide', name: 'help-operator', title: /^操作手册/ },
    { path: '/help/device-guide', name: 'help-device', title: /^设备接入手册/ },
    { path: '/help/api', name: 'help-api', title: /^接口手册/ },
  ]
}

export const stopsOf = (facts: FleetFacts): Stop[] => [
  { path: '/home', name: 'home', title: /^设备运行总览/ },
  ...thingStops(facts),
  ...operationStops(facts),
  ...ruleStops(facts),
  ...systemStops(facts),
  // Not beside /home: the frame that goes away between them is no jump, a person asks for it.
  { path: '/home?full=1', name: 'home-full', title: /^设备运行总览/ },
]
