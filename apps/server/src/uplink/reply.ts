/** The answer to the device: same head and type, the way down (device-protocol.md 4 and 5). */
import { replyMessage, spellMethod } from '@ithings/contract/device/messages.ts'
import { buildTopic, replyTopic, replyType, scriptFunction } from '@ithings/contract/device/topics.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { journalKindOf } from '#downlink/journal-kind.ts'
import { replyScripted } from '#downlink/send.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import type { CorridorContext, Passage } from './passage.ts'
import type { Reply, Uplink } from './uplink-message.ts'

/** `sys.noAsk` suppresses it. */
const silenced = ({ message }: Uplink): boolean => message.sys?.noAsk === true

async function send(up: Uplink, { method, extra, later }: Reply, code: number, msg: string, deps: CorridorDeps) {
  const more = later ? await later() : extra
  const spelt = spellMethod(method, up.dialect)
  const body = replyMessage(up.message, { method: spelt, timestamp: deps.clock.now(), code, msg }, more)
  const { topic, product } = up
  const type = replyType(topic)
  const down = scriptFunction(topic.head, type, 'down')
  const publish = (to: string, payload: string | Uint8Array) => deps.broker.publish(to, payload, up.packet.session)
  if (!product.functions.has(down)) return publish(replyTopic(topic), JSON.stringify(body))
  const { scripts } = deps
  await replyScripted({ scripts, broker: { publish } }, product, { ...topic, type, way: 'down' }, body)
}

/** A script that fails is the product's fault: people look for it in the hub log. */
async function note({ device, product, topic, token }: Uplink, error: AppError, deps: CorridorDeps): Promise<void> {
  const { deviceID, productID, deviceName } = device
  await deps.journal.append({
    deviceID,
    productID,
    deviceName,
    logDays: product.logDays,
    at: deps.clock.now(),
    seq: deps.journal.nextSeq(),
    kind: journalKindOf(topic.head, topic.type),
    up: false,
    topic: buildTopic({ ...topic, type: replyType(topic), way: 'down', custom: true }),
    method: '',
    token,
    code: error.code,
    msg: error.kept(),
    deviceTime: 0,
    content: '{}',
    dataID: '',
    latency: 0,
    values: undefined,
  })
  deps.bus.emit('device.logged', { device, kind: 'hub' })
}

/** The message is stored and acknowledged: a reply that does not arrive is the device's to ask for again. */
export function answer({ up, outcome, code, msg }: Passage, corridor: CorridorContext): void {
  if (!up || !outcome?.reply || silenced(up)) return
  const warn = (error: unknown) =>
    corridor.log.warn({ err: error, topic: up.packet.topic }, 'a reply could not be sent')
  send(up, outcome.reply, code, msg, corridor).catch((error: unknown) => {
    if (error instanceof AppError) note(up, error, corridor).catch(warn)
    else warn(error)
  })
}
