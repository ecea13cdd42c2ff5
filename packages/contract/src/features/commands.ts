/** Commands to devices, their history and the device shadow (http-api.md 4.4, 4.5). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput } from '../paging.ts'
import { filterText, id, int, optionalEnum, strInt } from '../wire.ts'
import { deviceKeyInput } from './devices/info.ts'

const { query, modify, remove, act } = endpointsOf('设备交互')
/** 0 auto: offline writes the shadow, online sends live; 1 live only; 2 shadow only. */
export const ShadowControl = { auto: 0, live: 1, shadow: 2 } as const
export type ShadowControl = (typeof ShadowControl)[keyof typeof ShadowControl]
export const shadowControlLabels: Record<ShadowControl, string> = { 0: '自动', 1: '只实时下发', 2: '只写影子' }

export const commandTimeoutMs = 10_000
/** JSON text of at most this many characters. */
export const maxCommandText = 65_536

const json = z.string().min(2).max(maxCommandText)
const isAsync = z.boolean().optional()
const shadowControl = int(0, 2).default(0)
const dataIDs = z.array(z.string().min(1).max(128)).max(200).nullish()

export const commandReply = z.object({ clientToken: z.string(), code: z.int(), status: z.string(), msg: z.string() })
export type CommandReply = z.output<typeof commandReply>
/** Ours: the values were written to the shadow instead of being sent, whatever the caller believed about the device. */
const propertyReply = z.object({ ...commandReply.shape, viaShadow: z.boolean() })
export type PropertyReply = z.output<typeof propertyReply>

export const sendPropertyBody = z.object({ ...deviceKeyInput.shape, data: json, isAsync, shadowControl })
export const sendProperty = modify('/api/v1/things/device/interact/send-property', '设置设备属性', {
  body: sendPropertyBody,
  data: propertyReply,
})

const tokenBody = z.object({ ...deviceKeyInput.shape, clientToken: z.string().min(1).max(128) })
export const readPropertyReply = query('/api/v1/things/device/interact/property-read', '查询属性设置结果', {
  body: tokenBody,
  data: propertyReply,
})

export const actionReply = z.object({ ...commandReply.shape, outputParams: z.string() })
export const sendAction = modify('/api/v1/things/device/interact/send-action', '调用设备行为', {
  body: z.object({ ...deviceKeyInput.shape, actionID: z.string().min(1).max(128), inputParams: json, isAsync }),
  data: actionReply,
})
export const readActionReply = query('/api/v1/things/device/interact/action-read', '查询行为调用结果', {
  body: tokenBody,
  data: actionReply,
})

export const getPropertyReply = act('/api/v1/things/device/interact/get-property-reply', '请求设备最新属性', {
  body: z.object({ ...deviceKeyInput.shape, dataIDs }),
  data: z.object({ ...commandReply.shape, timestamp: z.int(), params: z.string() }),
})

export const maxMultiSend = 1_000
export const multiSendProperty = modify('/api/v1/things/device/interact/multi-send-property', '批量设置属性', {
  fresh: true,
  body: z.object({
    data: json,
    productID: z.string().max(64).optional(),
    deviceNames: z.array(z.string().min(1).max(48)).max(maxMultiSend).optional(),
    groupID: z.union([z.literal('').transform(() => undefined), id()]).optional(),
    areaID: z.union([z.string(), z.number()]).optional(),
    shadowControl,
  }),
  data: z.object({
    list: z.array(
      z.object({
        productID: z.string(),
        deviceName: z.string(),
        ...propertyReply.shape,
        sysCode: z.int(),
        sysMsg: z.string(),
      }),
    ),
  }),
})

export const sendMessage = modify('/api/v1/things/device/interact/send-msg', '下发自定义消息', {
  body: z.object({ topic: z.string().min(1).max(512), payload: z.string().max(maxCommandText) }),
})

/** Ours: who sent what, and what came back. */
export const CommandKind = { property: 1, action: 2, get: 3, message: 4 } as const
export type CommandKind = (typeof CommandKind)[keyof typeof CommandKind]
export const commandKindLabels: Record<CommandKind, string> = {
  1: '设置属性',
  2: '调用行为',
  3: '读取属性',
  4: '自定义消息',
}
/** 1 waits for its reply, 2 answered with success, 3 answered with an error or not sent, 4 no reply in time. */
export const CommandState = { waiting: 1, done: 2, failed: 3, timeout: 4 } as const
export type CommandState = (typeof CommandState)[keyof typeof CommandState]
export const commandStateLabels: Record<CommandState, string> = { 1: '等待回复', 2: '成功', 3: '失败', 4: '超时' }

const commandRow = z.object({
  clientToken: z.string(),
  productID: z.string(),
  deviceName: z.string(),
  kind: z.int(),
  /** actionID of an action, topic of a message. */
  target: z.string(),
  payload: z.string(),
  state: z.int(),
  code: z.int(),
  status: z.string(),
  reply: z.string(),
  userName: z.string(),
  /** user, scene or task: who caused it. */
  source: z.string(),
  /** Milliseconds. */
  sentTime: strInt,
  doneTime: strInt,
  latency: z.int(),
  /** Written to the shadow instead of being sent. */
  viaShadow: z.boolean(),
})
export type CommandRow = z.output<typeof commandRow>

export const listCommands = query('/api/v1/things/device/msg/command-index', '指令记录', {
  body: z.object({
    productID: z.string().max(64).optional(),
    deviceName: filterText(48),
    kind: optionalEnum(CommandKind),
    state: optionalEnum(CommandState),
    clientToken: filterText(128),
    timeStart: int(0).optional(),
    timeEnd: int(0).optional(),
    page: pageInput,
  }),
  data: z.object({ list: z.array(commandRow), total: z.int() }),
})

const shadowRow = z.object({
  dataID: z.string(),
  value: z.string(),
  /** Milliseconds of the delivery; 0: waits for the device. */
  updatedDeviceTime: z.number(),
  /** Ours: when and by whom it was set, milliseconds. */
  setTime: z.number(),
  userName: z.string(),
})
export type ShadowRow = z.output<typeof shadowRow>

export const listShadow = query('/api/v1/things/device/msg/shadow/index', '设备影子', {
  body: z.object({ ...deviceKeyInput.shape, dataIDs }),
  data: z.object({ list: z.array(shadowRow) }),
})

/** Ours: without dataIDs all desired values are cleared. */
export const deleteShadow = remove('/api/v1/things/device/msg/shadow/delete', '清除期望值', {
  body: z.object({ ...deviceKeyInput.shape, dataIDs }),
})
