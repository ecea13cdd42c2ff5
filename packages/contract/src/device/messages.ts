/** Device messages (device-protocol.md 5 to 7): the common envelope, the two spellings of methods, and replies. */
import * as z from 'zod'

/** Older and newer devices and both dialects are read (device-protocol.md 1); unknown members are kept out of our way. */
export const deviceMessage = z.looseObject({
  method: z.string().min(1).max(64),
  clientToken: z.union([z.string().max(128), z.number()]).optional(),
  msgToken: z.union([z.string().max(128), z.number()]).optional(),
  timestamp: z.union([z.number(), z.string()]).optional(),
  code: z.number().optional(),
  status: z.string().optional(),
  msg: z.string().optional(),
  sys: z.looseObject({ noAsk: z.boolean().optional() }).optional(),
})
export type DeviceMessage = z.output<typeof deviceMessage>

/** Method names inside the platform: camelCase. */
export const deviceMethods = [
  'report',
  'reportReply',
  'control',
  'controlReply',
  'getStatus',
  'getStatusReply',
  'eventPost',
  'eventReply',
  'action',
  'actionReply',
  'getReport',
  'getReportReply',
  'reportInfo',
  'reportInfoReply',
  'packReport',
  'packReportReply',
  'register',
  'bind',
  'unbind',
  'describeSubDevices',
  'change',
  'online',
  'offline',
  'get',
  'reply',
  'push',
  'getNtp',
  'getNtpReply',
  'upgrade',
] as const
export type DeviceMethod = (typeof deviceMethods)[number]

/** decisions.md 2 "Device method names": snake_case is sent for the spec's ten names only. */
const specMethods = new Set<string>(deviceMethods.slice(0, 10))

const snake = (method: string): string => method.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const bySpelling = new Map<string, DeviceMethod>(
  deviceMethods.flatMap((method) => [
    [method, method],
    [snake(method), method],
  ]),
)

/** The method whatever way it is spelt; undefined when there is none of that name. */
export const methodOf = (spelling: string): DeviceMethod | undefined => bySpelling.get(spelling)

export const Dialect = { auto: 0, snake: 1, camel: 2 } as const
export type Dialect = (typeof Dialect)[keyof typeof Dialect]

/**
 * How this message is spelt: `report` is the same in both, then `msgToken` counts as camelCase
 * (decisions.md 2 "Device method names").
 */
export function dialectOf(message: { method: string; msgToken?: unknown }, setting: Dialect): Dialect {
  if (setting !== Dialect.auto) return setting
  if (message.method.includes('_')) return Dialect.snake
  if (/[A-Z]/.test(message.method)) return Dialect.camel
  return message.msgToken === undefined ? Dialect.snake : Dialect.camel
}

/** The spec's snake_case unless the dialect says otherwise. */
export const spellMethod = (method: DeviceMethod, dialect: Dialect): string =>
  dialect !== Dialect.camel && specMethods.has(method) ? snake(method) : method

/** msgToken or clientToken as text; '' when the message carries none. */
export const tokenOf = (message: { msgToken?: unknown; clientToken?: unknown }): string => {
  const token = message.msgToken ?? message.clientToken
  return token === undefined || token === null ? '' : String(token)
}

/** Replies echo the token key that was used; without any they carry clientToken "" (device-protocol.md 1). */
export function tokenEcho(message: { msgToken?: unknown; clientToken?: unknown }): Record<string, unknown> {
  if (message.msgToken !== undefined)
    return message.clientToken === undefined
      ? { msgToken: message.msgToken }
      : { msgToken: message.msgToken, clientToken: message.clientToken }
  return { clientToken: message.clientToken ?? '' }
}

/** Both keys and both texts, for whatever era the device is of (decisions.md 2 "Device method names"). */
export const cloudMessage = (method: string, token: string, timestamp: number, rest: Record<string, unknown> = {}) => ({
  method,
  clientToken: token,
  msgToken: token,
  timestamp,
  ...rest,
})

export const successText = '成功'

/** @param extra for example the data of a getStatus */
export function replyMessage(
  asked: { method: string; msgToken?: unknown; clientToken?: unknown },
  reply: { method: string; timestamp: number; code: number; msg: string },
  extra?: Record<string, unknown>,
): Record<string, unknown> {
  const { method, timestamp, code, msg } = reply
  // Older devices read status, newer ones, which send msgToken, msg: theirs comes first.
  const text = asked.msgToken === undefined ? { status: msg, msg } : { msg, status: msg }
  return { method, ...tokenEcho(asked), timestamp, code, ...text, ...extra }
}

const replies: Partial<Record<DeviceMethod, DeviceMethod>> = {
  report: 'reportReply',
  getStatus: 'getStatusReply',
  eventPost: 'eventReply',
  action: 'actionReply',
  reportInfo: 'reportInfoReply',
  packReport: 'packReportReply',
  getNtp: 'getNtpReply',
  get: 'reply',
  register: 'register',
  bind: 'bind',
  unbind: 'unbind',
  describeSubDevices: 'describeSubDevices',
  online: 'online',
  offline: 'offline',
}

/** What the platform answers to a message of a device; undefined for what expects no answer. */
export const replyMethodOf = (method: DeviceMethod): DeviceMethod | undefined => replies[method]
