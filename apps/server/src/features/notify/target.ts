import type { ChannelSettings } from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'

const maxTargetLength = 500

/** Where it goes, for people. Robots and webhooks carry keys in the path or the query, so only the host is told. */
export function describeTarget(type: ChannelType, settings: Pick<ChannelSettings, 'url' | 'to'>): string {
  if (type === 'email') return settings.to.join(', ').slice(0, maxTargetLength)
  return (URL.parse(settings.url)?.origin ?? '').slice(0, maxTargetLength)
}

/** What goes to one host waits for its turn there and holds up nobody else. */
export const laneOf = (type: ChannelType, settings: Pick<ChannelSettings, 'url'>): string =>
  type === 'email' ? 'smtp' : (URL.parse(settings.url)?.host ?? '').slice(0, 255)
