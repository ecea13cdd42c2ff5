/** What the data tab shows, all of it in the URL (screens.md 0.2). */
import { argFuncs } from '@ithings/contract/features/history.ts'
import * as z from 'zod'
import { autoInterval } from '#blocks/history-chart/interval.ts'
import type { SetUrlState } from '#kit/url-state.ts'

const many = z.union([z.array(z.string()), z.string().transform((one) => [one])])

export const historyUrl = z.object({
  view: z.enum(['props', 'events', 'commands']),
  /** Identifiers; none: the list of all properties. */
  props: many,
  /** Other devices of the product to compare with. */
  devices: many,
  time: z.string(),
  interval: z.string(),
  func: z.enum(argFuncs),
  as: z.enum(['chart', 'table']),
})
export type HistoryUrl = z.output<typeof historyUrl>
export type SetHistoryUrl = SetUrlState<HistoryUrl>

/** time 2: today (spec 3). */
export const historyDefaults: HistoryUrl = {
  view: 'props',
  props: [],
  devices: [],
  time: '2',
  interval: autoInterval,
  func: 'avg',
  as: 'chart',
}
