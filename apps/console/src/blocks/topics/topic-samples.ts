/** One message of each kind (device-protocol.md 5 to 8), its values made from the thing model. Pure. */
import { t } from '@ithings/contract/text.ts'
import { EventType, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { exampleParams } from '../model-form/example-value.ts'

export interface Message {
  /** camelCase; empty where several methods share the line. */
  method: string
  /** Begun by the platform: carries both token keys (decisions.md 2 "Device method names"). */
  cloud?: true
  reply?: true
  body: Record<string, unknown>
}

const success = { code: 200 }
const config = '{"interval":60}'

const info = {
  version: '1.0.0',
  imei: '861234567890123',
  position: { coordinateSystem: 'WGS84', longitude: 113.94, latitude: 22.53 },
  // A device of somebody, not a text.
  tags: { 区域: '一号站' },
}

/** Every kind with its method; `body` without method, token and time. */
export function messagesOf(model: ThingModel, productID: string, now: number) {
  const all = exampleParams(model.properties, now)
  const writable = exampleParams(
    model.properties.filter((property) => property.mode === PropertyMode.readWrite),
    now,
  )
  const identifiers = model.properties.slice(0, 3).map((property) => property.identifier)
  const event = model.events[0]
  const action = model.actions.find(({ dir }) => dir === 'down') ?? model.actions[0]
  const child = { productID: t('子设备产品ID'), deviceName: 'sub01' }
  const done = { devices: [{ ...child, result: 200 }] }
  const seconds = Math.floor(now / 1000)
  const signed = { ...child, random: 12345, timestamp: seconds, signMethod: 'hmacsha256', signature: t('签名') }
  const file = { name: 'firmware.bin', size: 524288, signature: 'md5', url: t('限时下载地址') }
  const firmware = { id: 1, version: '1.0.1', signMethod: 'md5', isDiff: 2, files: [file] }
  return {
    report: { method: 'report', body: { params: all } },
    reportReply: { method: 'reportReply', reply: true, body: success },
    control: { method: 'control', cloud: true, body: { params: writable } },
    controlReply: { method: 'controlReply', reply: true, body: success },
    getStatus: { method: 'getStatus', body: { identifiers } },
    getStatusReply: { method: 'getStatusReply', reply: true, body: { ...success, data: all } },
    getReport: { method: 'getReport', cloud: true, body: { identifiers } },
    getReportReply: { method: 'getReportReply', reply: true, body: { ...success, data: all } },
    reportInfo: { method: 'reportInfo', body: { params: info } },
    reportInfoReply: { method: 'reportInfoReply', reply: true, body: success },
    eventPost: {
      method: 'eventPost',
      body: {
        version: '1.0',
        eventID: event?.identifier ?? t('事件标识符'),
        type: event?.type ?? EventType.info,
        params: exampleParams(event?.params ?? [], now),
      },
    },
    eventReply: { method: 'eventReply', reply: true, body: success },
    action: {
      method: 'action',
      cloud: true,
      body: { actionID: action?.identifier ?? t('行为标识符'), params: exampleParams(action?.input ?? [], now) },
    },
    actionReply: {
      method: 'actionReply',
      reply: true,
      body: { ...success, response: exampleParams(action?.output ?? [], now) },
    },
    register: { method: 'register', body: { payload: { devices: [child] } } },
    bind: { method: 'bind', body: { payload: { devices: [signed] } } },
    unbind: { method: 'unbind', body: { payload: { devices: [child] } } },
    describeSubDevices: { method: 'describeSubDevices', body: {} },
    topologyReply: { method: 'bind', reply: true, body: { ...success, payload: done } },
    change: { method: 'change', cloud: true, body: { ...success, payload: { status: 1, devices: [child] } } },
    online: { method: 'online', body: { payload: { devices: [child] } } },
    offline: { method: 'offline', body: { payload: { devices: [child] } } },
    statusReply: { method: 'online', reply: true, body: { ...success, payload: done } },
    logLevel: { method: 'getStatus', body: {} },
    logLevelReply: { method: 'getStatusReply', reply: true, body: { ...success, data: { logLevel: 4 } } },
    logUpdate: { method: 'getStatusReply', cloud: true, body: { ...success, data: { logLevel: 4 } } },
    logReport: { method: 'reportInfo', body: { params: [{ timestamp: now, logLevel: 4, content: t('水泵启动') }] } },
    logReportReply: { method: 'reportInfoReply', reply: true, body: success },
    configGet: { method: 'get', body: {} },
    configReply: { method: 'reply', reply: true, body: { ...success, payload: config, data: config } },
    configPush: { method: 'push', cloud: true, body: { ...success, payload: config } },
    otaReport: { method: 'reportInfo', body: { params: { version: '1.0.0', module: 'default' } } },
    otaUpgrade: { method: 'reportInfoReply', cloud: true, body: { ...success, data: firmware } },
    otaProgress: { method: 'report', body: { params: { id: 1, step: 40, desc: t('正在下载'), module: 'default' } } },
    otaProgressReply: { method: 'reportReply', reply: true, body: success },
    getNtp: { method: 'getNtp', body: {} },
    getNtpReply: {
      method: 'getNtpReply',
      reply: true,
      body: { ...success, data: { deviceSendTime: now - 40, serverRecvTime: now - 20 } },
    },
    extRegister: {
      method: '',
      body: {
        payload: { nonce: 123, timestamp: seconds, signature: t('用 {productID} 的产品密钥计算', { productID }) },
      },
    },
    extRegisterReply: { method: '', reply: true, body: { ...success, data: { len: 88, payload: t('Base64 密文') } } },
  } satisfies Record<string, Message>
}

export type MessageKind = keyof ReturnType<typeof messagesOf>

export type Messages = Record<MessageKind, Message>
