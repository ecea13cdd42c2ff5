/** Every topic a device of the product may use (device-protocol.md 4), with its method and a sample. Pure. */
import { AutoRegister, DeviceType, Dialect } from '@ithings/contract/features/products/info.ts'
import type { MessageKind, Messages } from './topic-samples.ts'

export type Way = 'up' | 'down'

export interface TopicRow {
  key: MessageKind
  feature: string
  topic: string
  way: Way
  method: string
  text: string
}

type Line = [key: MessageKind, way: Way, text: string]
interface Feature {
  title: string
  /** Head and type of the topic: `thing/property`. */
  place: string
  lines: Line[]
  only?: 'gateway' | 'register'
}

const features: Feature[] = [
  {
    title: '属性上报',
    place: 'thing/property',
    lines: [
      ['report', 'up', '设备上报属性'],
      ['reportReply', 'down', '平台回复上报结果'],
    ],
  },
  {
    title: '属性设置',
    place: 'thing/property',
    lines: [
      ['control', 'down', '平台下发属性期望值'],
      ['controlReply', 'up', '设备回复设置结果'],
    ],
  },
  {
    title: '最新属性获取',
    place: 'thing/property',
    lines: [
      ['getStatus', 'up', '设备查询平台保存的最新属性'],
      ['getStatusReply', 'down', '平台返回最新属性'],
    ],
  },
  {
    title: '主动采集',
    place: 'thing/property',
    lines: [
      ['getReport', 'down', '平台要求设备立即上报'],
      ['getReportReply', 'up', '设备返回属性'],
    ],
  },
  {
    title: '设备信息上报',
    place: 'thing/property',
    lines: [
      ['reportInfo', 'up', '设备上报版本、位置等信息'],
      ['reportInfoReply', 'down', '平台回复上报结果'],
    ],
  },
  {
    title: '事件上报',
    place: 'thing/event',
    lines: [
      ['eventPost', 'up', '设备上报事件'],
      ['eventReply', 'down', '平台回复上报结果'],
    ],
  },
  {
    title: '行为调用',
    place: 'thing/action',
    lines: [
      ['action', 'down', '平台调用设备行为'],
      ['actionReply', 'up', '设备返回执行结果'],
    ],
  },
  {
    title: '拓扑关系',
    place: 'gateway/operation',
    only: 'gateway',
    lines: [
      ['register', 'up', '网关为子设备动态注册'],
      ['bind', 'up', '网关绑定子设备'],
      ['unbind', 'up', '网关解绑子设备'],
      ['describeSubDevices', 'up', '网关查询已绑定的子设备'],
      ['topologyReply', 'down', '平台回复，method 与请求相同'],
      ['change', 'down', '平台通知拓扑变化'],
    ],
  },
  {
    title: '子设备上下线',
    place: 'gateway/status',
    only: 'gateway',
    lines: [
      ['online', 'up', '网关代理子设备上线'],
      ['offline', 'up', '网关代理子设备下线'],
      ['statusReply', 'down', '平台回复，method 与请求相同'],
    ],
  },
  {
    title: '日志等级',
    place: 'log/operation',
    lines: [
      ['logLevel', 'up', '设备查询日志等级'],
      ['logLevelReply', 'down', '平台返回日志等级'],
    ],
  },
  { title: '日志等级变更', place: 'log/update', lines: [['logUpdate', 'down', '平台通知日志等级变更']] },
  {
    title: '日志上报',
    place: 'log/report',
    lines: [
      ['logReport', 'up', '设备上报本地日志'],
      ['logReportReply', 'down', '平台回复上报结果'],
    ],
  },
  {
    title: '远程配置获取',
    place: 'config/get',
    lines: [
      ['configGet', 'up', '设备获取配置'],
      ['configReply', 'down', '平台返回配置内容'],
    ],
  },
  { title: '远程配置下发', place: 'config/push', lines: [['configPush', 'down', '平台推送配置']] },
  { title: '固件版本上报', place: 'ota/report', lines: [['otaReport', 'up', '设备上报固件版本']] },
  { title: '固件升级', place: 'ota/upgrade', lines: [['otaUpgrade', 'down', '平台推送升级信息']] },
  {
    title: '升级进度',
    place: 'ota/progress',
    lines: [
      ['otaProgress', 'up', '设备上报升级进度'],
      ['otaProgressReply', 'down', '平台回复'],
    ],
  },
  {
    title: '时间同步',
    place: 'ext/ntp',
    lines: [
      ['getNtp', 'up', '设备请求对时'],
      ['getNtpReply', 'down', '平台返回时间'],
    ],
  },
  {
    title: '动态注册',
    place: 'ext/register',
    only: 'register',
    lines: [
      ['extRegister', 'up', '设备用产品密钥换取设备密钥'],
      ['extRegisterReply', 'down', '平台返回加密的设备密钥'],
    ],
  },
]

export interface TopicProduct {
  productID: string
  deviceType: number
  autoRegister: number
  dialect: number
}

/** Stands for the name where a whole product is meant. */
const anyDevice = '{DeviceName}'

/**
 * decisions.md 2 "Device method names": the spec's names are snake_case; everything else is camelCase in both dialects.
 */
const snakeNames: Partial<Record<MessageKind, string>> = {
  reportReply: 'report_reply',
  controlReply: 'control_reply',
  getStatus: 'get_status',
  getStatusReply: 'get_status_reply',
  eventPost: 'event_post',
  eventReply: 'event_reply',
  actionReply: 'action_reply',
}

const isCamel = (dialect: number): boolean => dialect === Dialect.camel

function methodOf(key: MessageKind, messages: Messages, dialect: number): string {
  const camel = messages[key].method
  return isCamel(dialect) ? camel : (snakeNames[key] ?? camel)
}

export function topicRows(product: TopicProduct, messages: Messages, deviceName = anyDevice): TopicRow[] {
  const applies: Record<NonNullable<Feature['only']>, boolean> = {
    gateway: product.deviceType === DeviceType.gateway,
    register: product.autoRegister !== AutoRegister.off,
  }
  return features
    .filter(({ only }) => only === undefined || applies[only])
    .flatMap(({ title, place, lines }) => {
      const [head, type] = place.split('/')
      return lines.map(([key, way, text]) => ({
        key,
        feature: title,
        topic: `$${head}/${way}/${type}/${product.productID}/${deviceName}`,
        way,
        method: methodOf(key, messages, product.dialect),
        text,
      }))
    })
}

const token = '7f3a-0192'

/** The whole message in the product's dialect. */
export function payloadOf(key: MessageKind, messages: Messages, dialect: number, now: number): Record<string, unknown> {
  const { body, cloud, reply } = messages[key]
  const camel = isCamel(dialect)
  const method = methodOf(key, messages, dialect)
  const words = (reply || 'code' in body) && { [camel ? 'msg' : 'status']: '成功' }
  const both = cloud && 'code' in body && { msg: '成功', status: '成功' }
  return {
    ...(method && { method }),
    // decisions.md 2 "Device method names": what the platform begins carries both keys, a reply the one that was used.
    ...(cloud ? { clientToken: token, msgToken: token } : { [camel ? 'msgToken' : 'clientToken']: token }),
    timestamp: now,
    ...body,
    ...words,
    ...both,
  }
}
