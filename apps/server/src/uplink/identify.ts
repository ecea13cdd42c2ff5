/** Who speaks: the signed-in device itself, or a sub-device bound to it (device-protocol.md 4, decisions.md 4.4). */

import { type DeviceTopic, parseTopic } from '@ithings/contract/device/topics.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { CachedDevice } from '#features/devices/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { UplinkPacket } from '#ports/broker.ts'
import type { CorridorDeps } from './corridor-deps.ts'
import { keep, type Step } from './passage.ts'
import type { Identified } from './uplink-message.ts'

const refused = (topic: string) =>
  new AppError(errors.permission, { detail: phrase('不能向主题 {topic} 发布消息', { topic }) })

function join(
  packet: UplinkPacket,
  topic: DeviceTopic,
  device: CachedDevice | undefined,
  product: CachedProduct | undefined,
): Identified {
  if (!device || !product)
    throw new AppError(errors.notFound, {
      detail: phrase('设备 {deviceName} 不存在', { deviceName: topic.deviceName }),
    })
  const { device: sender } = packet.session
  // By number too: a device of the same name may have been made anew meanwhile.
  const own = device.deviceID === sender.deviceID
  const { gateway } = device
  const child = gateway?.productID === sender.productID && gateway.deviceName === sender.deviceName
  if (!own && !child) throw refused(packet.topic)
  if (device.isEnable === 2)
    throw new AppError(errors.notEnabled, {
      detail: phrase('设备 {deviceName} 已禁用', { deviceName: topic.deviceName }),
    })
  return { packet, topic, device, product }
}

/** At once when both caches remember, which is the rule. */
export function findSender(packet: UplinkPacket, deps: CorridorDeps): Identified | Promise<Identified> {
  const topic = parseTopic(packet.topic)
  if (topic?.way !== 'up' || packet.session.registering) throw refused(packet.topic)
  const device = deps.devices.get(topic.productID, topic.deviceName)
  const product = deps.products.get(topic.productID)
  if (device instanceof Promise || product instanceof Promise) {
    return Promise.all([device, product]).then(([d, p]) => join(packet, topic, d, p))
  }
  return join(packet, topic, device, product)
}

export const identify: Step = (passage, corridor) =>
  keep(findSender(passage.packet, corridor), (known) => {
    passage.known = known
  })
