import type { ChannelSettings } from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/scene-parts.ts'

const maxTargetLength = 500

/** Where it goes, for people. Robots carry their key in the path or the query, so only the host of theirs is told. */
export function describeTarget(type: ChannelType, settings: Pick<ChannelSettings, 'url' | 'to'>): string {
  if (type === 'email') return settings.to.join(', ').slice(0, maxTargetLength)
  const url = URL.parse(settings.url)
  if (!url) return ''
  return (type === 'webhook' ? `${url.origin}${url.pathname}` : url.origin).slice(0, maxTargetLength)
}

/** What goes to one host waits for its turn there and holds up nobody else. */
export const laneOf = (type: ChannelType, settings: Pick<ChannelSettings, 'url'>): string =>
  type === 'email' ? 'smtp' : (URL.parse(settings.url)?.host ?? '').slice(0, 255)
