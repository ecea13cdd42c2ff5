/** Notification channels and what became of notifications (screens.md 27). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { channelTypes } from '../rules/channel-types.ts'
import { fieldsToUpdate, filterText, id, int, oneOf, optionalEnum, text } from '../wire.ts'

const { query, add, modify, remove, act } = endpointsOf('通知管理')
export const ChannelStatus = { enabled: 1, disabled: 2 } as const
export type ChannelStatus = (typeof ChannelStatus)[keyof typeof ChannelStatus]

/** Of a delivery: waits (also for its next try), sent, given up. */
export const DeliveryState = { waiting: 1, sent: 2, failed: 3 } as const
export type DeliveryState = (typeof DeliveryState)[keyof typeof DeliveryState]
export const deliveryStateLabels: Record<DeliveryState, string> = { 1: '发送中', 2: '已送达', 3: '失败' }

/** Filled in where `${name}` stands in titles and contents. */
export const notifyVariables = {
  sceneName: '场景名称',
  alarmName: '告警名称',
  level: '告警级别',
  productName: '产品名称',
  deviceName: '设备名称',
  deviceAlias: '设备别名',
  trigger: '触发内容',
  time: '时间',
  count: '告警次数',
} as const
export type NotifyVariable = keyof typeof notifyVariables

const url = z.url({ protocol: /^https?$/, error: '须为 http 或 https 地址' }).max(2_048)
const mail = z.email({ error: '不是有效的邮箱地址' }).max(320)

export const maxRecipients = 50
/** One form for every type; which fields count depends on `type`. */
export const channelSettings = z.object({
  /** webhook and robots. */
  url: z.union([z.literal(''), url]).default(''),
  /** webhook: signs the body (HMAC-SHA256); dingtalk and feishu: the robot's signing key. Never read back. */
  secret: text(256).default(''),
  /** webhook. */
  headers: z
    .array(z.object({ key: text(64, 1), value: text(1_024) }))
    .max(20)
    .default([]),
  /** email. */
  to: z.array(mail).max(maxRecipients).default([]),
  /** robots: mobiles or user ids to mention. */
  mentions: z.array(text(64, 1)).max(maxRecipients).default([]),
})
export type ChannelSettings = z.output<typeof channelSettings>

/**
 * Stands for what only `readChannel` tells: addresses carry keys in their path or query, headers in their values. Sent
 * back as it was listed it keeps what is stored.
 */
export const channelMask = '******'

/** In which language a channel is spoken to; '' is Chinese. */
export const channelLanguages = ['', 'zh', 'en'] as const
export type ChannelLanguage = (typeof channelLanguages)[number]

const fitsType = ({ type, settings }: { type: string; settings: ChannelSettings }) =>
  type === 'email' ? settings.to.length > 0 : settings.url !== ''

const channelShape = {
  name: text(64, 1),
  type: z.enum(channelTypes),
  status: oneOf(ChannelStatus).default(ChannelStatus.enabled),
  desc: text(200).default(''),
  language: z.enum(channelLanguages).default(''),
  settings: channelSettings,
}
const needed = { path: ['settings'], message: '请填写地址或收件人' }
export const channelBody = z.object(channelShape).refine(fitsType, needed)
const updateChannelBody = z.object({
  ...fieldsToUpdate(channelShape),
  id: id(),
  rev: int(0).optional(),
  /** '' keeps the secret, unless this says so. */ clearSecret: z.boolean().optional(),
})

export const channel = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(channelTypes),
  status: z.int(),
  desc: z.string(),
  language: z.enum(channelLanguages),
  /** `secret` is always '' here; lists mask what follows the host of `url`, and the values of `headers`. */
  settings: channelSettings,
  hasSecret: z.boolean(),
  /** Seconds. */
  createdTime: z.number(),
  rev: z.int(),
  /** Milliseconds; 0: never. */
  lastSentTime: z.number(),
  lastState: z.int(),
  lastError: z.string(),
  /** Of the last day. */
  sent: z.int(),
  failed: z.int(),
})
export type Channel = z.output<typeof channel>

export const createChannel = add('/api/v1/things/rule/notify/channel/create', '新增通知渠道', {
  body: channelBody,
  data: z.object({ id: z.int() }),
})
export const updateChannel = modify('/api/v1/things/rule/notify/channel/update', '修改通知渠道', {
  body: updateChannelBody,
})
/** Refused (100019) while a scene or an alarm uses it; the message names them. */
export const deleteChannel = remove('/api/v1/things/rule/notify/channel/delete', '删除通知渠道', {
  body: z.object({ id: id() }),
})
export const channelSortFields = ['name', 'createdTime', 'status', 'type'] as const
export const listChannels = query('/api/v1/things/rule/notify/channel/index', '通知渠道列表', {
  body: z.object({
    name: filterText(64),
    type: z.union([z.literal('').transform(() => undefined), z.enum(channelTypes)]).optional(),
    status: optionalEnum(ChannelStatus),
    page: pageInput,
  }),
  data: pageOf(channel).extend({
    /** Mail can be sent: SMTP_URL is set. */
    mailReady: z.boolean(),
  }),
})
/** With the address and the headers whole: no query, so that roles which only look (BuiltInRole.user) do not get it. */
export const readChannel = act('/api/v1/things/rule/notify/channel/read', '查看通知渠道的完整设置', {
  body: z.object({ id: id() }),
  data: channel,
})
/** Sends now and waits for the result; a saved channel by id, or the form as it is (with the saved secret when id is given). */
export const testChannel = act('/api/v1/things/rule/notify/channel/test', '测试通知渠道', {
  body: z.object({
    id: id().optional(),
    type: z.enum(channelTypes).optional(),
    language: z.enum(channelLanguages).optional(),
    settings: channelSettings.optional(),
  }),
  data: z.object({
    ok: z.boolean(),
    /** HTTP status or SMTP code; 0 when there was no answer. */
    code: z.int(),
    msg: z.string(),
    /** Milliseconds. */
    latency: z.number(),
  }),
})

const delivery = z.object({
  id: z.string(),
  channelID: z.int(),
  channelName: z.string(),
  type: z.enum(channelTypes),
  /** Where it went, without secrets. */
  target: z.string(),
  title: z.string(),
  content: z.string(),
  state: z.int(),
  attempts: z.int(),
  code: z.int(),
  error: z.string(),
  /** scene, alarm or test, and its name. */
  source: z.string(),
  sourceName: z.string(),
  productID: z.string(),
  deviceName: z.string(),
  /** Milliseconds; nextTime 0: no further try. */
  createdTime: z.number(),
  sentTime: z.number(),
  nextTime: z.number(),
  latency: z.number(),
})
export type Delivery = z.output<typeof delivery>

export const deliverySortFields = ['createdTime', 'sentTime', 'state'] as const
export const listDeliveries = query('/api/v1/things/rule/notify/log/index', '通知记录', {
  body: z.object({
    channelID: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    type: z.union([z.literal('').transform(() => undefined), z.enum(channelTypes)]).optional(),
    state: optionalEnum(DeliveryState),
    source: filterText(16),
    keyword: filterText(64),
    /** Milliseconds, [timeStart, timeEnd). */
    timeStart: int(0).optional(),
    timeEnd: int(0).optional(),
    page: pageInput,
  }),
  data: pageOf(delivery),
})
/** A failed one is tried again. */
export const retryDelivery = act('/api/v1/things/rule/notify/log/retry', '重发通知', {
  body: z.object({ id: text(32, 1) }),
})
