/** The answer to the device: same head and type, the way down (device-protocol.md 4 and 5). */
import { replyMessage, spellMethod } from '@ithings/contract/device/messages.ts'
import { buildTopic, replyTopic, replyType, scriptFunction } from '@ithings/contract/device/topics.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { journalKindOf } from '#downlink/journal-kind.ts'
import { replyScripted } from '#downlink/send.ts'
import type { CorridorKit } from './corridor-kit.ts'
import type { Reply, Uplink } from './uplink-message.ts'

/** `sys.noAsk` suppresses it. */
const silenced = ({ message }: Uplink): boolean => message.sys?.noAsk === true

async function send(up: Uplink, { method, extra, later }: Reply, code: number, msg: string, kit: CorridorKit) {
  const more = later ? await later() : extra
  const spelt = spellMethod(method, up.dialect)
  const body = replyMessage(up.message, { method: spelt, timestamp: kit.clock.now(), code, msg }, more)
  const { topic, product } = up
  const type = replyType(topic)
  const down = scriptFunction(topic.head, type, 'down')
  if (!product.functions.has(down)) return kit.broker.publish(replyTopic(topic), JSON.stringify(body))
  await replyScripted(kit, product, { ...topic, type, way: 'down' }, body)
}

/** A script that fails is the product's fault: people look for it in the hub log. */
async function note({ device, product, topic, token }: Uplink, error: AppError, kit: CorridorKit): Promise<void> {
  const { deviceID, productID, deviceName } = device
  await kit.journal.append({
    deviceID,
    productID,
    deviceName,
    logDays: product.logDays,
    at: kit.clock.now(),
    seq: kit.journal.nextSeq(),
    kind: journalKindOf(topic.head, topic.type),
    up: false,
    topic: buildTopic({ ...topic, type: replyType(topic), way: 'down', custom: true }),
    method: '',
    token,
    code: error.code,
    msg: error.message,
    deviceTime: 0,
    content: '{}',
    dataID: '',
    latency: 0,
    values: undefined,
  })
  kit.bus.emit('device.logged', { device, kind: 'hub' })
}

/** The message is stored and acknowledged: a reply that does not arrive is the device's to ask for again. */
export function reply(up: Uplink, answer: Reply, code: number, msg: string, kit: CorridorKit): void {
  if (silenced(up)) return
  const warn = (error: unknown) => kit.log.warn({ err: error, topic: up.packet.topic }, 'a reply could not be sent')
  send(up, answer, code, msg, kit).catch((error: unknown) => {
    if (error instanceof AppError) note(up, error, kit).catch(warn)
    else warn(error)
  })
}
