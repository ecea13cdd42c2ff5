/**
 * THE table: path of spec 2 -> screen, loaded lazily. A new screen is one row here.
 * `parent` is the list a detail belongs to: it is highlighted in the menu and grants the access.
 */

import type { ComponentType } from 'react'
import { paths } from '#kit/paths.ts'
import { withTexts } from '#language/language.ts'

export interface ScreenRow {
  path: string
  /** Name in the breadcrumb and the window title when the menu has no entry for the path. */
  title: string
  load: () => Promise<ComponentType>
  /** The list it shows, by its path, so that no schema comes with the first page: who may not read it has no use for it. */
  reads?: string
  parent?: string
  /** Signed-in users need no menu entry for it. */
  everyone?: true
  /** Fills the whole room beside the menu: no breadcrumb, no margins. */
  bare?: true
}

export const screens: readonly ScreenRow[] = [
  {
    path: paths.account,
    title: '个人中心',
    load: async () => (await withTexts('users', import('#features/users/screens/profile.tsx'))).Profile,
    everyone: true,
  },
  {
    path: paths.ownKeys,
    title: '我的 API 密钥',
    load: async () => (await withTexts('api-keys', import('#features/api-keys/screens/own-key-list.tsx'))).OwnKeyList,
    parent: paths.account,
    everyone: true,
  },
  {
    path: paths.help,
    title: '帮助',
    load: async () => (await withTexts('help', import('#features/help/screens/help.tsx'))).Help,
    everyone: true,
  },
  {
    path: paths.home,
    title: '大屏',
    reads: '/api/v1/things/home/summary',
    load: async () => (await withTexts('home', import('#features/home/screens/home.tsx'))).Home,
    bare: true,
  },
  // Devices (spec 2, /deviceMangers)
  {
    path: paths.products,
    title: '产品',
    reads: '/api/v1/things/product/info/index',
    load: async () => (await withTexts('products', import('#features/products/screens/product-list.tsx'))).ProductList,
  },
  {
    path: paths.product,
    title: '产品详情',
    load: async () =>
      (await withTexts(['products', 'later'], import('#features/products/screens/product-detail.tsx'))).ProductDetail,
    parent: paths.products,
  },
  {
    path: paths.devices,
    title: '设备',
    reads: '/api/v1/things/device/info/index',
    load: async () => (await withTexts('devices', import('#features/devices/screens/device-list.tsx'))).DeviceList,
  },
  {
    path: paths.device,
    title: '设备详情',
    load: async () =>
      (await withTexts(['device-detail', 'later'], import('#features/device-detail/screens/device-detail.tsx')))
        .DeviceDetail,
    parent: paths.devices,
  },
  {
    path: paths.tasks,
    title: '任务',
    reads: '/api/v1/things/device/task/index',
    load: async () => (await withTexts(['tasks', 'later'], import('#features/tasks/screens/task-list.tsx'))).TaskList,
  },
  {
    path: paths.groups,
    title: '分组',
    reads: '/api/v1/things/group/info/index',
    load: async () => (await withTexts('groups', import('#features/groups/screens/group-list.tsx'))).GroupList,
  },
  {
    path: paths.group,
    title: '分组详情',
    load: async () => (await withTexts('groups', import('#features/groups/screens/group-detail.tsx'))).GroupDetail,
    parent: paths.groups,
  },
  // Rules (spec 2, /ruleEngine)
  {
    path: paths.scenes,
    title: '场景联动',
    reads: '/api/v1/things/rule/scene/info/index',
    load: async () =>
      (await withTexts(['scenes', 'later'], import('#features/scenes/screens/scene-list.tsx'))).SceneList,
  },
  {
    path: paths.scene,
    title: '场景详情',
    load: async () =>
      (await withTexts(['scenes', 'later'], import('#features/scenes/screens/scene-detail.tsx'))).SceneDetail,
    parent: paths.scenes,
  },
  {
    path: paths.forwards,
    title: '数据转发',
    reads: '/api/v1/things/rule/forward/index',
    load: async () =>
      (await withTexts(['forwarding', 'later'], import('#features/forwarding/screens/forward-list.tsx'))).ForwardList,
  },
  // Operations (spec 2, /operationsMonitorings)
  {
    path: paths.onlineDebug,
    title: '在线调试',
    reads: '/api/v1/things/device/info/index',
    load: async () =>
      (await withTexts(['commands', 'later'], import('#features/commands/screens/online-debug.tsx'))).OnlineDebug,
  },
  {
    path: paths.logService,
    title: '日志服务',
    reads: '/api/v1/things/device/msg/hub-log/index',
    load: async () =>
      (await withTexts(['history', 'later'], import('#features/history/screens/log-service.tsx'))).LogService,
  },
  {
    path: paths.upgrades,
    title: '固件升级',
    reads: '/api/v1/things/ota/task/index',
    load: async () =>
      (await withTexts(['ota', 'later'], import('#features/ota/screens/firmware-upgrade.tsx'))).FirmwareUpgrade,
  },
  {
    path: paths.firmware,
    title: '固件包管理',
    reads: '/api/v1/things/ota/firmware/index',
    load: async () =>
      (await withTexts(['ota', 'later'], import('#features/ota/screens/firmware-list.tsx'))).FirmwareList,
  },
  {
    path: paths.remoteConfig,
    title: '远程配置',
    reads: '/api/v1/things/product/remote-config/product-index',
    load: async () =>
      (await withTexts(['remote-config', 'later'], import('#features/remote-config/screens/remote-config.tsx')))
        .RemoteConfig,
  },
  {
    path: paths.reports,
    title: '报表',
    reads: '/api/v1/things/report/index',
    load: async () => (await withTexts('reports', import('#features/reports/screens/report-list.tsx'))).ReportList,
  },
  // Alarms (spec 2, /alarmMangers)
  {
    path: paths.alarms,
    title: '告警配置',
    reads: '/api/v1/things/rule/alarm/info/index',
    load: async () =>
      (await withTexts(['alarms', 'later'], import('#features/alarms/screens/alarm-config-list.tsx'))).AlarmConfigList,
  },
  {
    path: paths.alarmSave,
    title: '编辑告警',
    load: async () =>
      (await withTexts(['alarms', 'later'], import('#features/alarms/screens/alarm-config-save.tsx'))).AlarmConfigSave,
    parent: paths.alarms,
  },
  {
    path: paths.alarmQueue,
    title: '告警记录',
    reads: '/api/v1/things/rule/alarm/record/index',
    load: async () =>
      (await withTexts(['alarms', 'later'], import('#features/alarms/screens/alarm-record-list.tsx'))).AlarmRecordList,
  },
  {
    path: paths.alarmLog,
    title: '告警日志',
    load: async () =>
      (await withTexts(['alarms', 'later'], import('#features/alarms/screens/alarm-log-detail.tsx'))).AlarmLogDetail,
    parent: paths.alarmQueue,
  },
  {
    path: paths.notify,
    title: '通知渠道',
    reads: '/api/v1/things/rule/notify/channel/index',
    load: async () =>
      (await withTexts(['notify', 'later'], import('#features/notify/screens/notify.tsx'))).NotifyScreen,
  },
  // System management (spec 2, /systemMangers)
  {
    path: paths.users,
    title: '用户管理',
    load: async () => (await withTexts('users', import('#features/users/screens/user-list.tsx'))).UserList,
  },
  {
    path: paths.roles,
    title: '角色管理',
    load: async () => (await withTexts('roles', import('#features/roles/screens/role-list.tsx'))).RoleList,
  },
  {
    path: paths.role,
    title: '角色权限',
    load: async () => (await withTexts('roles', import('#features/roles/screens/role-detail.tsx'))).RoleDetail,
    parent: paths.roles,
  },
  {
    path: paths.menus,
    title: '菜单管理',
    load: async () => {
      const { MenuList } = await withTexts('menus', import('#features/menus/screens/menu-list.tsx'))
      return () => <MenuList knownPaths={screens} />
    },
  },
  {
    path: paths.apis,
    title: '接口管理',
    load: async () => (await withTexts('apis', import('#features/apis/screens/api-list.tsx'))).ApiList,
  },
  {
    path: paths.apiKeys,
    title: 'API 密钥',
    load: async () => (await withTexts('api-keys', import('#features/api-keys/screens/key-list.tsx'))).KeyList,
  },
  {
    path: paths.signOn,
    title: '企业登录',
    reads: '/api/v1/system/sign-on/index',
    load: async () =>
      (await withTexts(['sign-on', 'later'], import('#features/sign-on/screens/provider-list.tsx'))).ProviderList,
  },
  {
    path: paths.loginLog,
    title: '登录日志',
    load: async () => (await withTexts('logs', import('#features/logs/screens/login-log.tsx'))).LoginLogList,
  },
  {
    path: paths.operationLog,
    title: '操作日志',
    load: async () => (await withTexts('logs', import('#features/logs/screens/operation-log.tsx'))).OperationLogList,
  },
  {
    path: paths.jobs,
    title: '后台任务',
    load: async () => (await withTexts('jobs', import('#features/jobs/screens/job-list.tsx'))).JobList,
  },
  {
    path: paths.settings,
    title: '系统设置',
    load: async () =>
      (await withTexts(['settings', 'later'], import('#features/settings/screens/setting.tsx'))).SettingScreen,
  },
  {
    path: paths.cluster,
    title: '集群',
    load: async () => (await withTexts('cluster', import('#features/cluster/screens/cluster.tsx'))).ClusterScreen,
  },
  {
    path: paths.plans,
    title: '配置计划',
    load: async () => (await withTexts(['plans', 'later'], import('#features/plans/screens/plan-list.tsx'))).PlanList,
  },
]

/** spec 2: the default page. */
export const defaultPath = paths.products
