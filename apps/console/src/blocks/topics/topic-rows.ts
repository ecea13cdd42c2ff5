/** Every topic a device of the product may use (device-protocol.md 4), with its method and a sample. Pure. */

import { AutoRegister, DeviceType, Dialect } from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'
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

/** Where a line applies only to some products. */
type Only = 'gateway' | 'register'
/** `place`: head and type of the topic. */
type Line = [feature: string, place: string, way: Way, key: MessageKind, text: string, only?: Only]

const lines: Line[] = [
  ['属性上报', 'thing/property', 'up', 'report', '设备上报属性'],
  ['属性上报', 'thing/property', 'down', 'reportReply', '平台回复上报结果'],
  ['属性设置', 'thing/property', 'down', 'control', '平台下发属性期望值'],
  ['属性设置', 'thing/property', 'up', 'controlReply', '设备回复设置结果'],
  ['最新属性获取', 'thing/property', 'up', 'getStatus', '设备查询平台保存的最新属性'],
  ['最新属性获取', 'thing/property', 'down', 'getStatusReply', '平台返回最新属性'],
  ['主动采集', 'thing/property', 'down', 'getReport', '平台要求设备立即上报'],
  ['主动采集', 'thing/property', 'up', 'getReportReply', '设备返回属性'],
  ['设备信息上报', 'thing/property', 'up', 'reportInfo', '设备上报版本、位置等信息'],
  ['设备信息上报', 'thing/property', 'down', 'reportInfoReply', '平台回复上报结果'],
  ['事件上报', 'thing/event', 'up', 'eventPost', '设备上报事件'],
  ['事件上报', 'thing/event', 'down', 'eventReply', '平台回复上报结果'],
  ['行为调用', 'thing/action', 'down', 'action', '平台调用设备行为'],
  ['行为调用', 'thing/action', 'up', 'actionReply', '设备返回执行结果'],
  ['拓扑关系', 'gateway/operation', 'up', 'register', '网关为子设备动态注册', 'gateway'],
  ['拓扑关系', 'gateway/operation', 'up', 'bind', '网关绑定子设备', 'gateway'],
  ['拓扑关系', 'gateway/operation', 'up', 'unbind', '网关解绑子设备', 'gateway'],
  ['拓扑关系', 'gateway/operation', 'up', 'describeSubDevices', '网关查询已绑定的子设备', 'gateway'],
  ['拓扑关系', 'gateway/operation', 'down', 'topologyReply', '平台回复，method 与请求相同', 'gateway'],
  ['拓扑关系', 'gateway/operation', 'down', 'change', '平台通知拓扑变化', 'gateway'],
  ['子设备上下线', 'gateway/status', 'up', 'online', '网关代理子设备上线', 'gateway'],
  ['子设备上下线', 'gateway/status', 'up', 'offline', '网关代理子设备下线', 'gateway'],
  ['子设备上下线', 'gateway/status', 'down', 'statusReply', '平台回复，method 与请求相同', 'gateway'],
  ['日志等级', 'log/operation', 'up', 'logLevel', '设备查询日志等级'],
  ['日志等级', 'log/operation', 'down', 'logLevelReply', '平台返回日志等级'],
  ['日志等级变更', 'log/update', 'down', 'logUpdate', '平台通知日志等级变更'],
  ['日志上报', 'log/report', 'up', 'logReport', '设备上报本地日志'],
  ['日志上报', 'log/report', 'down', 'logReportReply', '平台回复上报结果'],
  ['远程配置获取', 'config/get', 'up', 'configGet', '设备获取配置'],
  ['远程配置获取', 'config/get', 'down', 'configReply', '平台返回配置内容'],
  ['远程配置下发', 'config/push', 'down', 'configPush', '平台推送配置'],
  ['固件版本上报', 'ota/report', 'up', 'otaReport', '设备上报固件版本'],
  ['固件升级', 'ota/upgrade', 'down', 'otaUpgrade', '平台推送升级信息'],
  ['升级进度', 'ota/progress', 'up', 'otaProgress', '设备上报升级进度'],
  ['升级进度', 'ota/progress', 'down', 'otaProgressReply', '平台回复'],
  ['时间同步', 'ext/ntp', 'up', 'getNtp', '设备请求对时'],
  ['时间同步', 'ext/ntp', 'down', 'getNtpReply', '平台返回时间'],
  ['动态注册', 'ext/register', 'up', 'extRegister', '设备用产品密钥换取设备密钥', 'register'],
  ['动态注册', 'ext/register', 'down', 'extRegisterReply', '平台返回加密的设备密钥', 'register'],
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
  const applies: Record<Only, boolean> = {
    gateway: product.deviceType === DeviceType.gateway,
    register: product.autoRegister !== AutoRegister.off,
  }
  return lines
    .filter(([, , , , , only]) => only === undefined || applies[only])
    .map(([feature, place, way, key, text]) => {
      const [head, type] = place.split('/')
      const topic = `$${head}/${way}/${type}/${product.productID}/${deviceName}`
      return { key, feature, topic, way, method: methodOf(key, messages, product.dialect), text }
    })
}

const token = '7f3a-0192'

/** The whole message in the product's dialect. */
export function payloadOf(key: MessageKind, messages: Messages, dialect: number, now: number): Record<string, unknown> {
  const { body, cloud, reply } = messages[key]
  const camel = isCamel(dialect)
  const method = methodOf(key, messages, dialect)
  const words = (reply || 'code' in body) && { [camel ? 'msg' : 'status']: t('成功') }
  const both = cloud && 'code' in body && { msg: t('成功'), status: t('成功') }
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
