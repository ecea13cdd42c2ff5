/** The answer to the device: same head and type, the way down (device-protocol.md 4 and 5). */
import { replyMessage, spellMethod } from '@ithings/contract/device/messages.ts'
import { replyTopic, scriptFunction } from '@ithings/contract/device/topics.ts'
import { publishScripted } from '#downlink/send.ts'
import type { CorridorKit } from './corridor-kit.ts'
import type { Reply, Uplink } from './uplink-message.ts'

/** `sys.noAsk` suppresses it. */
const silenced = ({ message }: Uplink): boolean => message.sys?.noAsk === true

export function reply(up: Uplink, { method, extra }: Reply, code: number, msg: string, kit: CorridorKit): void {
  if (silenced(up)) return
  const spelt = spellMethod(method, up.dialect)
  const body = replyMessage(up.message, { method: spelt, timestamp: kit.clock.now(), code, msg }, extra)
  const { topic, product } = up
  const down = scriptFunction(topic.head, topic.type, 'down')
  const sent = product.functions.has(down)
    ? publishScripted(kit, product, { ...topic, way: 'down' }, body)
    : kit.broker.publish(replyTopic(topic), JSON.stringify(body))
  // The message is stored and acknowledged: a reply that does not arrive is the device's to ask for again.
  sent.catch((error) => kit.log.warn({ err: error, topic: up.packet.topic }, 'a reply could not be sent'))
}
