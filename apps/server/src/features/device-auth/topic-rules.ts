/** Which topics a device may use (device-protocol.md 4). Pure. */
import { type DeviceTopic, parseTopic } from '@ithings/contract/device/topics.ts'

export type TopicUse = 'publish' | 'subscribe'

/** own: it may; child: only when that device is bound to it; none: it may not. */
export type TopicVerdict = { rule: 'own' | 'none' } | { rule: 'child'; productID: string; deviceName: string }

const none: TopicVerdict = { rule: 'none' }
const own: TopicVerdict = { rule: 'own' }
const wildcard = /[+#]/

/** Wildcards only in subscriptions, and only between the direction and the last two levels. */
function readTopic(use: TopicUse, text: string): DeviceTopic | undefined {
  const topic = parseTopic(text)
  if (!topic || topic.way !== (use === 'publish' ? 'up' : 'down')) return undefined
  if (use === 'publish' && wildcard.test(text)) return undefined
  return wildcard.test(topic.productID) || wildcard.test(topic.deviceName) ? undefined : topic
}

export interface TopicUser {
  productID: string
  deviceName: string
  isGateway: boolean
  registering: boolean
}

export function judgeTopic(user: TopicUser, use: TopicUse, text: string): TopicVerdict {
  const topic = readTopic(use, text)
  if (!topic) return none
  const { productID, deviceName } = topic
  const isOwn = productID === user.productID && deviceName === user.deviceName
  if (user.registering) return isOwn && topic.head === 'ext' && topic.type === 'register' ? own : none
  if (isOwn) return own
  return user.isGateway ? { rule: 'child', productID, deviceName } : none
}
