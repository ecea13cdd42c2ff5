/** Any message to any down topic of a device, for debugging (http-api.md 4.5 send-msg). */

import { type DeviceMethod, methodOf, tokenOf } from '@ithings/contract/device/messages.ts'
import { parseTopic } from '@ithings/contract/device/topics.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { sendMessage as endpoint } from '@ithings/contract/features/commands.ts'
import { isRecord, parseRecord } from '@ithings/contract/is-record.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { PendingRequest, RequestKind } from '#downlink/pending-replies.ts'
import { sendRaw } from '#downlink/send.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { asAppError, finishCommand, insertCommand, sentText } from './command-store.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { makeToken } from './dispatch-command.ts'
import { findTarget, type Target, whyUnreachable } from './find-target.ts'
import { propertyValues, type Values } from './read-order.ts'
import { productOf } from './send-property.ts'

const maxToken = 128
// MQTT forbids wildcards in the topic of a message; control characters would break logs.
const isUnusable = (text: string): boolean =>
  [...text].some((character) => character === '+' || character === '#' || character < ' ' || character === '\u007f')

function readTopic(text: string) {
  const topic = parseTopic(text)
  const refused = (detail: Phrase) => new AppError(errors.parameter, { detail, field: 'topic' })
  if (!topic || isUnusable(text)) throw refused(phrase('主题须为 $类别/down/类型/产品ID/设备名称，且不含通配符'))
  if (topic.way !== 'down') throw refused(phrase('只能发往设备的下行主题（down）'))
  return topic
}

/** Scripts of devices understand other forms than JSON: any payload may be sent. */
export const readMessage = (payload: string): Values => parseRecord(payload) ?? {}

type HandWritten = Pick<PendingRequest, 'kind' | 'params' | 'target'>

const answered: Partial<Record<DeviceMethod, RequestKind>> = { control: 'property', action: 'action', getReport: 'get' }

/** The values that a yes of the device would make true; undefined when the model does not allow them. */
function paramsOf(product: CachedProduct, kind: RequestKind, message: Values): Values | undefined {
  const params = isRecord(message.params) ? message.params : {}
  if (kind !== 'property') return params
  try {
    return propertyValues(product, params)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** The request in a message written by hand; undefined when it is none, or none that a reply can belong to. */
export function handWritten(product: CachedProduct, message: Values): HandWritten | undefined {
  const method = typeof message.method === 'string' ? methodOf(message.method) : undefined
  const kind = method && answered[method]
  const params = kind && paramsOf(product, kind, message)
  if (!kind || !params) return undefined
  return { kind, params, target: typeof message.actionID === 'string' ? message.actionID : '' }
}

/** It is paired with its reply like any other, if it carries a token. */
function openFor(deps: CommandsDeps, target: Target, product: CachedProduct, message: Values, token: string): void {
  const asked = token === '' ? undefined : handWritten(product, message)
  if (asked) deps.pending.open({ deviceID: target.deviceID, token, ...asked })
}

export async function sendMessage(deps: CommandsDeps, input: BodyOutput<typeof endpoint>, userName: string) {
  const topic = readTopic(input.topic)
  const target = await findTarget(deps.db, topic)
  const product = await productOf(deps, target)
  const message = readMessage(input.payload)
  const said = tokenOf(message)
  const token = said.length > maxToken ? '' : said
  const command = {
    device: target,
    token: token || makeToken(),
    kind: 'msg',
    target: input.topic,
    payload: input.payload,
    by: { userName, source: 'user' },
    sentAt: deps.clock.now(),
  } as const
  await insertCommand(deps.db, command)
  const finish = async (code: number, status: string) => {
    await finishCommand(deps.db, target.deviceID, command.token, { code, status }, deps.clock.now())
    deps.bus.emit('command.done', { device: target, clientToken: command.token, code })
  }
  try {
    const unreachable = whyUnreachable(deps, target)
    if (unreachable) throw unreachable
    openFor(deps, target, product, message, token)
    const method = typeof message.method === 'string' ? message.method.slice(0, 64) : ''
    await sendRaw(deps, { device: target, logDays: product.logDays, topic, payload: input.payload, method, token })
  } catch (error) {
    const fault = asAppError(error)
    deps.pending.drop(target.deviceID, command.token)
    await finish(fault.code, fault.kept())
    throw error
  }
  await finish(200, sentText)
}
