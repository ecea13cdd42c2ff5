/** Forwarding: what happens is sent to other systems, at least once and in the order of each device. */
import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { fieldsToUpdate, filterText, id, int, oneOf, optionalEnum, tag, text } from '../../wire.ts'
import { targetSettings, targetTypes } from './targets.ts'

const { query, add, modify, remove, act } = endpointsOf('数据转发')

export const forwardSources = ['property', 'event', 'presence', 'command', 'alarm', 'operation'] as const
export type ForwardSource = (typeof forwardSources)[number]
export const forwardSourceLabels: Record<ForwardSource, string> = {
  property: '属性上报',
  event: '事件上报',
  presence: '设备上下线',
  command: '指令与应答',
  alarm: '告警',
  operation: '操作日志',
}

export const forwardForms = ['json', 'cloudevents', 'script'] as const
export type ForwardForm = (typeof forwardForms)[number]
export const forwardFormLabels: Record<ForwardForm, string> = {
  json: '平台 JSON',
  cloudevents: 'CloudEvents 1.0',
  script: '脚本',
}

export const ForwardStatus = { running: 1, paused: 2 } as const
export type ForwardStatus = (typeof ForwardStatus)[keyof typeof ForwardStatus]
export const forwardStatusLabels: Record<ForwardStatus, string> = { 1: '运行中', 2: '已暂停' }

/** The function of a script: gets the message as our JSON, answers what is sent; undefined or null sends nothing. */
export const forwardHandler = 'forward'
export const sampleScript = `function forward(message) {
  return { device: message.deviceName, time: message.time, values: message.data }
}
`

const names = (max: number) => z.array(text(64, 1)).max(max).default([])
/** Everything that is named must fit; an empty list says nothing. */
export const forwardFilter = z.object({
  productIDs: names(100),
  deviceNames: names(200),
  /** Devices of these groups and those below them. */
  groupIDs: z.array(id()).max(100).default([]),
  /** All of them; a value '' means any. */
  tags: z.array(tag).max(10).default([]),
  /** Properties (only these are sent), events and actions. */
  identifiers: names(200),
})
export type ForwardFilter = z.output<typeof forwardFilter>

const ruleShape = {
  name: text(64, 1),
  desc: text(200).default(''),
  status: oneOf(ForwardStatus).default(ForwardStatus.running),
  sources: z.array(z.enum(forwardSources)).min(1).max(forwardSources.length),
  filter: forwardFilter.default(forwardFilter.parse({})),
  form: z.enum(forwardForms).default('json'),
  script: z.string().max(65_536).default(''),
  target: targetSettings,
  /** Somebody is told when a message waits for longer than so many seconds; 0: nobody. */
  lagSeconds: int(0, 86_400).default(0),
  /** Who is told. */
  channelIDs: z.array(id()).max(20).default([]),
}
const needsScript = {
  path: ['script'],
  message: '请填写脚本',
}
const hasScript = ({ form, script }: { form?: string | undefined; script?: string | undefined }) =>
  form !== 'script' || script === undefined || script.trim() !== ''
export const forwardBody = z.object(ruleShape).refine(hasScript, needsScript)
export const updateForwardBody = z
  .object({ ...fieldsToUpdate(ruleShape), id: id(), rev: int(0).optional() })
  .refine(hasScript, needsScript)

export const forwardRule = z.object({
  id: z.int(),
  name: z.string(),
  desc: z.string(),
  status: z.int(),
  sources: z.array(z.enum(forwardSources)),
  filter: forwardFilter,
  form: z.enum(forwardForms),
  script: z.string(),
  /** Secrets are masked. */
  target: targetSettings,
  lagSeconds: z.int(),
  channelIDs: z.array(z.int()),
  rev: z.int(),
  createdTime: z.number(),
  /** Messages sent since it was made, and those that were refused for good and are not settled. */
  sent: z.number(),
  deadLetters: z.int(),
  /** Messages a second of the last minute. */
  rate: z.number(),
  /** Of the oldest message that waits, ms; 0: nothing waits. */
  lagMs: z.number(),
  /** Messages are dropped by the retention of logs from then on unless they are sent, ms; 0: nothing waits. */
  losesAt: z.number(),
  /** ms; 0: never. */
  lastSentTime: z.number(),
  /** Why it does not go on at the moment; '' when it does. */
  error: z.string(),
  errorTime: z.number(),
})
export type ForwardRule = z.output<typeof forwardRule>

/** Beyond this nobody counts. */
export const mostWaiting = 10_000
const forwardDetail = forwardRule.extend({
  /** Messages of its sources that it has not dealt with, before its filter; at most `mostWaiting`. */
  waiting: z.int(),
})

const ruleKey = z.object({ id: id() })

export const forwardSortFields = ['name', 'createdTime', 'status'] as const
export const listForwards = query('/api/v1/things/rule/forward/index', '数据转发规则列表', {
  body: z.object({
    name: filterText(64),
    status: optionalEnum(ForwardStatus),
    type: z.union([z.literal('').transform(() => undefined), z.enum(targetTypes)]).optional(),
    page: pageInput,
  }),
  data: pageOf(forwardRule),
})
export const readForward = query('/api/v1/things/rule/forward/read', '查看数据转发规则', {
  body: ruleKey,
  data: forwardDetail,
})
export const createForward = add('/api/v1/things/rule/forward/create', '新增数据转发规则', {
  body: forwardBody,
  data: z.object({ id: z.int() }),
})
export const updateForward = modify('/api/v1/things/rule/forward/update', '修改数据转发规则', {
  body: updateForwardBody,
})
export const deleteForward = remove('/api/v1/things/rule/forward/delete', '删除数据转发规则', { body: ruleKey })
/** Goes back to a moment: everything since then is sent (again). */
export const replayForward = act('/api/v1/things/rule/forward/replay', '重放数据转发', {
  body: z.object({ id: id(), /** ms */ from: int(0) }),
})
/** Sends one message of the form as it is; with the stored secrets when an id is given. */
export const testForward = act('/api/v1/things/rule/forward/test', '测试数据转发', {
  body: z.object({
    id: id().optional(),
    form: z.enum(forwardForms),
    script: z.string().max(65_536).default(''),
    target: targetSettings,
    source: z.enum(forwardSources).default('property'),
  }),
  data: z.object({
    ok: z.boolean(),
    /** Why not. */ msg: z.string(),
    /** As it was sent. */ body: z.string(),
    ms: z.number(),
  }),
})

/** The last ten, as sent. */
export const recentForwards = query('/api/v1/things/rule/forward/recent', '最近转发的消息', {
  body: ruleKey,
  data: z.object({
    list: z.array(
      z.object({
        messageID: z.string(),
        source: z.enum(forwardSources),
        productID: z.string(),
        deviceName: z.string(),
        /** ms */
        time: z.number(),
        sentTime: z.number(),
        body: z.string(),
      }),
    ),
  }),
})

/** What a target refused for good. */
export const deadLetter = z.object({
  id: z.int(),
  messageID: z.string(),
  source: z.enum(forwardSources),
  productID: z.string(),
  deviceName: z.string(),
  /** ms */
  time: z.number(),
  createdTime: z.number(),
  reason: z.string(),
  /** As it was sent. */
  body: z.string(),
})
export type DeadLetter = z.output<typeof deadLetter>
export const deadLetterSortFields = ['createdTime', 'time'] as const
export const listDeadLetters = query('/api/v1/things/rule/forward/dead-letter/index', '转发死信列表', {
  body: z.object({
    id: id(),
    deviceName: filterText(64),
    source: z.union([z.literal('').transform(() => undefined), z.enum(forwardSources)]).optional(),
    page: pageInput,
  }),
  data: pageOf(deadLetter),
})
/** With a body, that is sent instead. Those that are refused again stay. */
export const resendDeadLetters = act('/api/v1/things/rule/forward/dead-letter/resend', '重发转发死信', {
  body: z.object({ id: id(), letterIDs: z.array(id()).min(1).max(100), body: z.string().max(1_048_576).optional() }),
  data: z.object({ sent: z.int(), refused: z.int() }),
})
/** Without ids all of the rule. */
export const deleteDeadLetters = remove('/api/v1/things/rule/forward/dead-letter/delete', '删除转发死信', {
  body: z.object({ id: id(), letterIDs: z.array(id()).max(1_000).optional() }),
  data: z.object({ deleted: z.int() }),
})
