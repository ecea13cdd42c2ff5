import type { Menu } from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { readLanguage } from '#language/language.ts'

/** The entries that come with the platform; what somebody wrote himself stays as he wrote it. */
const builtIn: ReadonlySet<string> = new Set([
  ...['大屏', '运维监控', '设备管理', '规则引擎', '数据转发', '告警管理', '系统管理', '日志管理'],
  ...['产品', '产品详情', '设备', '设备详情', '分组', '分组详情', '任务', '固件包管理', '固件升级', '远程配置', '报表'],
  ...['在线调试', '日志服务', '场景联动', '场景详情', '告警配置', '告警配置详情', '告警记录', '告警日志', '通知渠道'],
  ...[
    '用户管理',
    '角色管理',
    '菜单管理',
    '接口管理',
    'API 密钥',
    '企业登录',
    '配置计划',
    '操作日志',
    '登录日志',
    '后台任务',
    '集群',
    '系统设置',
  ],
])

/** The name of a page: of many things where a label means one (产品: Products). */
export const pageTitle = (title: string): string => t(title, { context: 'menu' })

/** Names of the platform come in the language of the answer; until they are asked for again they are said here. */
export const menuName = ({ name, nameEn }: Pick<Menu, 'name' | 'nameEn'>): string => {
  if (nameEn && readLanguage() === 'en') return nameEn
  return builtIn.has(name) ? pageTitle(name) : name
}
