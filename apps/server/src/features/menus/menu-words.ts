/** Entries that come with the platform are read in the language of the caller; what people wrote stays as it is. */
import { toEnglish } from '@ithings/contract/english.ts'
import { kept } from '@ithings/contract/text.ts'

const given: ReadonlySet<string> = new Set([
  ...['大屏', '运维监控', '设备管理', '规则引擎', '数据转发', '告警管理', '系统管理', '日志管理'],
  ...['产品', '产品详情', '设备', '设备详情', '分组', '分组详情', '任务', '固件包管理', '固件升级', '远程配置'],
  ...['在线调试', '日志服务', '场景联动', '场景详情', '告警配置', '告警配置详情', '告警记录', '告警日志', '通知渠道'],
  ...[
    '用户管理',
    '角色管理',
    '菜单管理',
    '接口管理',
    'API 密钥',
    '企业登录',
    '配置计划',
    '报表',
    '操作日志',
    '登录日志',
    '后台任务',
    '集群',
    '系统设置',
  ],
])

/** An entry is named after the many things on its page (产品: Products), a label means one. */
const context = { context: 'menu' }

export const menuText = (name: string): string => (given.has(name) ? kept(name, context) : name)

const englishOf = (name: string): string => (given.has(name) ? toEnglish(name, context) : name)

/** Who saves a form sends back what he read: that is no new name. */
export const asStored = (sent: string, stored: string): string => (sent === englishOf(stored) ? stored : sent)

/** What people may look for. */
export const namesOf = ({ name, name_en }: { name: string; name_en: string }): string[] => [
  name,
  englishOf(name),
  name_en,
]
