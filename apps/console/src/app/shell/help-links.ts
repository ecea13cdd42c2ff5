/** The bundled guides as entries of the shell, and which section tells about which screen. Pure. */
import { type HelpPage, helpPages, helpPath, paths } from '#kit/paths.ts'
import type { MenuScreen } from './menu-tree.ts'

export const helpScreens: readonly MenuScreen[] = [
  ...helpPages.map(({ key, title }) => ({ name: title, path: helpPath(key), group: '帮助' })),
  { name: '个人中心', path: paths.account, group: '' },
]

/** Beginnings of paths; the first that fits wins. help-links.test.ts keeps the sections true. */
export const helpOfScreens: readonly [path: string, page: HelpPage, section: string][] = [
  ['/home', 'operator-guide', '大屏'],
  ['/deviceMangers/product', 'operator-guide', '3-产品'],
  ['/deviceMangers/device', 'operator-guide', '6-设备'],
  ['/deviceMangers/createDeviceTask', 'operator-guide', '任务一次下发给许多设备'],
  ['/deviceMangers/group', 'operator-guide', '11-分组'],
  ['/ruleEngine/scene', 'operator-guide', '12-场景联动'],
  ['/alarmMangers/alarmConfiguration/log', 'operator-guide', '告警记录'],
  ['/alarmMangers/alarmConfiguration', 'operator-guide', '告警配置'],
  ['/alarmMangers/notify', 'operator-guide', '通知渠道'],
  ['/operationsMonitorings/onlineDebugs', 'operator-guide', '在线调试'],
  ['/operationsMonitorings/logService', 'operator-guide', '日志服务'],
  ['/operationsMonitorings/remoteConfiguration', 'operator-guide', '远程配置'],
  ['/operationsMonitorings/firmware', 'operator-guide', '固件升级'],
  ['/systemMangers/user', 'operator-guide', '19-用户'],
  ['/systemMangers/role', 'operator-guide', '20-角色'],
  ['/systemMangers/menu', 'operator-guide', '21-菜单'],
  ['/systemMangers/api', 'operator-guide', '22-接口'],
  ['/systemMangers/log', 'operator-guide', '23-日志'],
  ['/systemMangers/job', 'operator-guide', '18-后台任务'],
  ['/systemMangers/setting', 'operator-guide', '24-系统设置'],
  ['/systemMangers/cluster', 'operator-guide', '集群'],
]

export function helpFor(pathname: string): string {
  const found = helpOfScreens.find(([path]) => pathname.startsWith(path))
  return found ? helpPath(found[1], found[2]) : helpPath()
}
