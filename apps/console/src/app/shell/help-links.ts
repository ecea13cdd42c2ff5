/** The bundled guides as entries of the shell, and which section tells about which screen. Pure. */
import { t } from '@ithings/contract/text.ts'
import { type HelpPage, helpPages, helpPath, paths } from '#kit/paths.ts'
import type { MenuScreen } from './menu-tree.ts'

export const helpScreens = (): MenuScreen[] => [
  ...helpPages.map(({ key, title }) => ({ name: t(title), path: helpPath(key), group: t('帮助') })),
  { name: t('个人中心'), path: paths.account, group: '' },
]

// Beginnings of paths with the anchors of headings in the operator guide; not a text.
const sections = `
/home 大屏
/deviceMangers/product 3-产品
/deviceMangers/device 6-设备
/deviceMangers/createDeviceTask 任务一次下发给许多设备
/deviceMangers/group 11-分组
/ruleEngine/scene 12-场景联动
/ruleEngine/forward 数据转发
/alarmMangers/alarmConfiguration/log 告警记录
/alarmMangers/alarmConfiguration 告警配置
/alarmMangers/notify 通知渠道
/operationsMonitorings/onlineDebugs 在线调试
/operationsMonitorings/logService 日志服务
/operationsMonitorings/remoteConfiguration 远程配置
/operationsMonitorings/firmware 固件升级
/systemMangers/user 19-用户
/systemMangers/role 20-角色
/systemMangers/menu 21-菜单
/systemMangers/api 22-接口
/systemMangers/log 23-日志
/systemMangers/job 18-后台任务
/systemMangers/setting 24-系统设置
/systemMangers/cluster 集群
/systemMangers/signOn 企业登录
/systemMangers/plan 配置计划
`

/** The first that fits wins. help-links.test.ts keeps the sections true. */
export const helpOfScreens: readonly [path: string, page: HelpPage, section: string][] = sections
  .trim()
  .split('\n')
  .map((line) => line.split(' '))
  .map(([path = '', section = '']) => [path, 'operator-guide', section])

export function helpFor(pathname: string): string {
  const found = helpOfScreens.find(([path]) => pathname.startsWith(path))
  return found ? helpPath(found[1], found[2]) : helpPath()
}
