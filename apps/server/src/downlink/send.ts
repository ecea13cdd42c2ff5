/** The way down to a device: spelling of its product, the product's script, the topic, a line in the hub log. */

import { cloudMessage, type DeviceMethod, type Dialect, spellMethod } from '@ithings/contract/device/messages.ts'
import { buildTopic, scriptFunction, type TopicHead, type TopicParts } from '@ithings/contract/device/topics.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import { jsonText } from '#db/json-text.ts'
import type { Broker } from '#ports/broker.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { Journal, JournalEntry, JournalKind } from '#ports/journal.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import { journalKindOf } from './journal-kind.ts'

export interface DownlinkDeps extends Common<'clock' | 'bus' | 'log'> {
  broker: Pick<Broker, 'publish'>
  scripts: ScriptRunner
  journal: Journal
}

/** What has to be known about the product; the products feature remembers it. */
export interface DownlinkProduct {
  dialect: Dialect
  /** Days of logs. */
  logDays: number
  script: string
  functions: ReadonlySet<string>
}

export interface DownlinkMessage {
  method: DeviceMethod
  token: string
  /** Further members: params, actionID, identifiers, code, data, ... */
  body?: Record<string, unknown>
}

export interface Downlink {
  device: DeviceRef
  product: DownlinkProduct
  head: TopicHead
  /** property, action, operation, ... */
  type: string
  message: DownlinkMessage
  /** What the hub log keeps instead of the body; for bodies too large to keep for each of many devices. */
  logged?: Record<string, unknown>
}

type ScriptDeps = Pick<DownlinkDeps, 'broker' | 'scripts'>
type ScriptOwner = Pick<DownlinkProduct, 'script'>

export const scriptFault = (handler: string, line: number, error: string): Phrase =>
  line > 0
    ? phrase('{handler} 第 {line} 行，{error}', { handler, line, error })
    : phrase('{handler} {error}', { handler, error })

/** device-protocol.md 9: bytes as they are, other values as JSON. Undefined: it returned null. */
async function encodeByScript(
  deps: ScriptDeps,
  product: ScriptOwner,
  topic: TopicParts,
  body: Record<string, unknown>,
): Promise<Uint8Array | string | undefined> {
  const handler = scriptFunction(topic.head, topic.type, 'down')
  const outcome = await deps.scripts.run({ script: product.script, handler, input: body })
  if (outcome.reason === 'busy') throw new AppError(errors.rateLimited, { msg: outcome.error })
  if (!outcome.ok) {
    const { line, error } = outcome
    throw new AppError(errors.script, { detail: scriptFault(handler, line, error) })
  }
  return outcome.bytes ?? JSON.stringify(outcome.value ?? undefined)
}

/** A command that the script says nothing for did not reach the device. */
async function publishScripted(
  deps: ScriptDeps,
  product: ScriptOwner,
  topic: TopicParts,
  body: Record<string, unknown>,
) {
  const payload = await encodeByScript(deps, product, topic, body)
  if (payload === undefined) {
    throw refusal(errors.script, '{handler} 返回了 null，没有可发送的内容', {
      handler: scriptFunction(topic.head, topic.type, 'down'),
    })
  }
  await deps.broker.publish(buildTopic({ ...topic, custom: true }), payload)
}

/** Many protocols have no bytes for the answer to a report: a script that returns null leaves it out. */
export async function replyScripted(
  deps: ScriptDeps,
  product: ScriptOwner,
  topic: TopicParts,
  body: Record<string, unknown>,
): Promise<void> {
  const payload = await encodeByScript(deps, product, topic, body)
  if (payload !== undefined) await deps.broker.publish(buildTopic({ ...topic, custom: true }), payload)
}

interface Note {
  device: DeviceRef
  logDays: number
  kind: JournalKind
  topic: string
  method: string
  token: string
  content: string
  dataID?: string
}

/** Publishes and leaves a line in the hub log, whatever became of it. */
async function noted(deps: DownlinkDeps, note: Note, publish: () => Promise<void>): Promise<void> {
  const { device, dataID = '', ...rest } = note
  const started = performance.now()
  const at = deps.clock.now()
  const seq = deps.journal.nextSeq()
  const keep = async (code: number, msg: string) => {
    const latency = Math.round((performance.now() - started) * 1000)
    const { productID, deviceName, deviceID } = device
    const of = { productID, deviceName, deviceID, ...rest, dataID, at, seq, code, msg, latency }
    const entry: JournalEntry = { ...of, up: false, deviceTime: 0, values: undefined }
    try {
      await deps.journal.append(entry)
      deps.bus.emit('device.logged', { device, kind: 'hub' })
    } catch (error) {
      // The message itself is out: saying that it failed would be wrong.
      deps.log.warn({ err: error, topic: note.topic }, 'a message to a device could not be noted in the hub log')
    }
  }
  try {
    await publish()
  } catch (error) {
    const refused = error instanceof AppError ? error : new AppError(errors.system)
    await keep(refused.code, refused.kept())
    throw error
  }
  await keep(200, '')
}

export async function sendToDevice(deps: DownlinkDeps, downlink: Downlink): Promise<void> {
  const { device, product, head, type, logged } = downlink
  const { method, token, body = {} } = downlink.message
  const spelt = spellMethod(method, product.dialect)
  const message = cloudMessage(spelt, token, deps.clock.now(), body)
  const { productID, deviceName } = device
  const topic: TopicParts = { head, way: 'down', type, productID, deviceName }
  const scripted = product.functions.has(scriptFunction(head, type, 'down'))
  const content = JSON.stringify(message)
  const note: Note = {
    device,
    logDays: product.logDays,
    kind: journalKindOf(head, type),
    topic: buildTopic({ ...topic, custom: scripted }),
    method: spelt,
    token,
    content: logged ? JSON.stringify(cloudMessage(spelt, token, message.timestamp, logged)) : content,
    dataID: typeof body.actionID === 'string' ? body.actionID : '',
  }
  await noted(deps, note, () =>
    scripted ? publishScripted(deps, product, topic, message) : deps.broker.publish(note.topic, content),
  )
}

export interface RawDownlink {
  device: DeviceRef
  logDays: number
  topic: TopicParts
  payload: string
  /** As far as the payload says so, for the hub log. */
  method: string
  token: string
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** As it is written, without spelling and script: for debugging. */
export async function sendRaw(deps: DownlinkDeps, raw: RawDownlink): Promise<void> {
  const { device, logDays, payload, method, token } = raw
  const { head, type } = raw.topic
  const topic = buildTopic(raw.topic)
  const content = isJson(payload) ? payload : jsonText(payload)
  await noted(deps, { device, logDays, kind: journalKindOf(head, type), topic, method, token, content }, () =>
    deps.broker.publish(topic, payload),
  )
}
