/** MQTT topics of devices (device-protocol.md 4): `$<head>/<up|down>/<type>[/custom]/<productID>/<deviceName>`. */

export const topicHeads = ['thing', 'ota', 'config', 'log', 'shadow', 'gateway', 'ext'] as const
export type TopicHead = (typeof topicHeads)[number]
export type TopicWay = 'up' | 'down'

export interface DeviceTopic {
  head: TopicHead
  way: TopicWay
  /** property, event, action, operation, status, report, ...; several levels are joined by "/". */
  type: string
  /** The payload is for the product's script, not JSON. */
  custom: boolean
  productID: string
  deviceName: string
}

/** Longest topic that is looked at; MQTT allows 65,535 bytes. */
export const maxTopicLength = 512

const isHead = (text: string): text is TopicHead => (topicHeads as readonly string[]).includes(text)

/** undefined: not a topic of the platform. Wildcards are not known here; see `topicAllows`. */
export function parseTopic(topic: string): DeviceTopic | undefined {
  if (topic.charCodeAt(0) !== 36 || topic.length > maxTopicLength) return undefined
  const levels = topic.split('/')
  const { length } = levels
  if (length < 5) return undefined
  const head = (levels[0] as string).slice(1)
  const way = levels[1]
  if (!isHead(head) || (way !== 'up' && way !== 'down')) return undefined
  const custom = length > 5 && levels[length - 3] === 'custom'
  const type = length === 5 ? (levels[2] as string) : levels.slice(2, custom ? -3 : -2).join('/')
  const productID = levels[length - 2] as string
  const deviceName = levels[length - 1] as string
  if (type === '' || productID === '' || deviceName === '') return undefined
  return { head, way, type, custom, productID, deviceName }
}

export interface TopicParts {
  head: TopicHead
  way: TopicWay
  type: string
  custom?: boolean
  productID: string
  deviceName: string
}

export const buildTopic = ({ head, way, type, custom, productID, deviceName }: TopicParts): string =>
  `$${head}/${way}/${type}${custom ? '/custom' : ''}/${productID}/${deviceName}`

/** Same head and type (device-protocol.md 4), but versions are answered with the upgrade that waits (8). */
export const replyType = ({ head, type }: Pick<DeviceTopic, 'head' | 'type'>): string =>
  head === 'ota' && type === 'report' ? 'upgrade' : type

/** Where the answer to an uplink message goes: the other way. */
export const replyTopic = (topic: DeviceTopic): string =>
  buildTopic({ ...topic, type: replyType(topic), way: 'down', custom: false })

/** device-protocol.md 9: the function of the product's script for a topic, like thingPropertyUp. */
export function scriptFunction(head: TopicHead, type: string, way: TopicWay): string {
  const [first = '', ...rest] = type.split('/')[0] ?? ''
  return `${head}${first.toUpperCase()}${rest.join('')}${way === 'up' ? 'Up' : 'Down'}`
}

/** device-protocol.md 4: the last two levels are always product and device. '' when there are none. */
export function ownerOf(topic: string): string {
  const last = topic.lastIndexOf('/')
  const before = last <= 0 ? -1 : topic.lastIndexOf('/', last - 1)
  return before < 0 ? '' : topic.slice(before + 1)
}
