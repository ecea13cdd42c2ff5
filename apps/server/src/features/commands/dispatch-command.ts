/** One command on its way: noted in the history, open for its reply, sent; and what becomes of it. */

import { randomBytes } from 'node:crypto'
import type { DeviceMethod } from '@ithings/contract/device/messages.ts'
import { successText } from '@ithings/contract/device/messages.ts'
import { type AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { CommandReply } from '@ithings/contract/features/commands.ts'
import { kept } from '@ithings/contract/text.ts'
import type { DeviceReply, RequestKind } from '#downlink/pending-replies.ts'
import { sendToDevice } from '#downlink/send.ts'
import type { CachedProduct } from '#features/products/door.ts'
import { asAppError, finishCommand, insertCommand, replyTimeout, type Sender, timeOutCommand } from './command-store.ts'
import type { CommandsDeps } from './commands-deps.ts'
import type { Target } from './find-target.ts'
import type { Values } from './read-order.ts'

export interface Order {
  target: Target
  product: CachedProduct
  kind: RequestKind
  type: 'property' | 'action'
  method: DeviceMethod
  body: Values
  /** What the history keeps. */
  payload: unknown
  /** Values of a control, which are stored once the device says yes; inputs of an action. */
  params: Values
  actionID: string
  by: Sender
  /** Of whoever must know it before the command is out; else one is made. */
  token?: string | undefined
}

export interface Dispatched {
  token: string
  /** Never rejects; undefined when no reply came in time. */
  reply: Promise<DeviceReply | undefined>
}

export const makeToken = (): string => randomBytes(16).toString('hex')

/** Something went wrong before it was sent: the history says so, and the caller hears why. */
async function recordFailure(deps: CommandsDeps, { target }: Order, token: string, error: unknown): Promise<void> {
  deps.pending.drop(target.deviceID, token)
  const fault = asAppError(error)
  const { code } = fault
  await finishCommand(deps.db, target.deviceID, token, { code, status: fault.kept() }, deps.clock.now())
  deps.bus.emit('command.done', { device: target, clientToken: token, code })
}

/** Waits for the reply and for its place in the history. */
async function conclude(
  deps: CommandsDeps,
  target: Target,
  token: string,
  waiting: Promise<DeviceReply | undefined>,
): Promise<DeviceReply | undefined> {
  const reply = await waiting
  await deps.recording.get(token)
  // When the server stops the command goes on waiting: the next start decides.
  if (reply || deps.pending.closed) return reply
  try {
    if (await timeOutCommand(deps.db, target.deviceID, token, deps.clock.now())) {
      deps.bus.emit('command.done', { device: target, clientToken: token, code: errors.timeout.code })
    }
  } catch (error) {
    // The sweep does it a minute later.
    deps.log.warn({ err: error, token }, 'the time-out of a command could not be stored')
  }
  return undefined
}

export async function dispatchCommand(deps: CommandsDeps, order: Order): Promise<Dispatched> {
  const { target, product, kind, type, method, body, payload, params, actionID, by } = order
  const { deviceID } = target
  const token = order.token ?? makeToken()
  deps.pending.open({ deviceID, token, kind, params, target: actionID })
  // From now on, because the reply may come before the broker has said that it took the message.
  const waiting = deps.pending.wait(deviceID, token, deps.timeoutMs)
  try {
    const sentAt = deps.clock.now()
    await insertCommand(deps.db, { device: target, token, kind, target: actionID, payload, by, sentAt })
  } catch (error) {
    deps.pending.drop(deviceID, token)
    throw error
  }
  try {
    await sendToDevice(deps, { device: target, product, head: 'thing', type, message: { method, token, body } })
  } catch (error) {
    await recordFailure(deps, order, token, error)
    throw error
  }
  return { token, reply: conclude(deps, target, token, waiting) }
}

/** It was not even tried: offline, for example. */
export async function recordRefusal(deps: CommandsDeps, order: Order, error: AppError): Promise<void> {
  const { target, kind, actionID, payload, by } = order
  const token = order.token ?? makeToken()
  const done = { code: error.code, status: error.kept() }
  await insertCommand(deps.db, {
    device: target,
    token,
    kind,
    target: actionID,
    payload,
    by,
    sentAt: deps.clock.now(),
    done,
  })
  deps.bus.emit('command.done', { device: target, clientToken: token, code: error.code })
}

/** The caller waits no longer because of us, not because of the device. */
const stopping = () => refusal(errors.timeout, '服务正在停止，结果请稍后在指令记录中查看')

/** http-api.md 4.5: 100016 when the device does not answer in time. */
export async function awaitReply(deps: CommandsDeps, { reply }: Dispatched): Promise<DeviceReply> {
  const answer = await reply
  if (answer) return answer
  throw deps.pending.closed ? stopping() : replyTimeout()
}

/** The device's own words; `status` is the older name, `msg` the newer one. */
export function toCommandReply(token: string, { code, msg }: Pick<DeviceReply, 'code' | 'msg'>): CommandReply {
  const text = msg === '' && code === 200 ? kept(successText) : msg
  return { clientToken: token, code, status: text, msg: text }
}

/** An asynchronous call knows its token only; property-read and action-read tell the rest. */
export const unanswered = (token: string): CommandReply => ({ clientToken: token, code: 0, status: '', msg: '' })
