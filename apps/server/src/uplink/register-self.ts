/** `$ext/up/register`: a device without a secret asks for one over MQTT (device-protocol.md 3). */
import { replyMessage, successText } from '@ithings/contract/device/messages.ts'
import { parseTopic, replyTopic } from '@ithings/contract/device/topics.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { UplinkPacket } from '#ports/broker.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import { asRefusal } from './refuse.ts'
import type { Envelope } from './uplink-message.ts'

/** Such a session may use only its own two topics; anything else is dropped without an answer. */
export async function registerSelf(packet: UplinkPacket, deps: CorridorDeps): Promise<void> {
  const topic = parseTopic(packet.topic)
  const { device } = packet.session
  const own = topic?.productID === device.productID && topic.deviceName === device.deviceName
  if (!topic || !own || topic.head !== 'ext' || topic.type !== 'register' || topic.way !== 'up') return
  let message: Envelope
  try {
    message = JSON.parse(packet.payload.toString('utf8')) as Envelope
  } catch {
    return
  }
  if (typeof message !== 'object' || message === null) return
  const method = typeof message.method === 'string' ? message.method : 'register'
  const send = (code: number, msg: string, data?: Record<string, unknown>) => {
    const body = replyMessage(message, { method, timestamp: deps.clock.now(), code, msg }, data && { data })
    return deps.broker.publish(replyTopic(topic), JSON.stringify(body), packet.session)
  }
  try {
    const data = await deps.doors.registerSelf(packet, message.payload)
    await send(200, successText, data)
  } catch (error) {
    const { code, message: text } = asRefusal(error)
    if (!(error instanceof AppError)) deps.log.error({ err: error }, 'a registration failed')
    await send(code, code === errors.system.code ? errors.system.msg : text)
  }
}
