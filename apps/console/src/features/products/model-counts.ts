import { t } from '@ithings/contract/text.ts'

interface ModelCounts {
  properties: number
  events: number
  actions: number
}

/** How many of each, for a text that takes all three: in English every number has its noun behind it. */
export const countWords = ({ properties, events, actions }: ModelCounts) => ({
  properties: t('{count}', { count: properties, context: 'property' }),
  events: t('{count}', { count: events, context: 'event' }),
  actions: t('{count}', { count: actions, context: 'action' }),
})
