/** What is asked from the server for a choice of the history view (screens.md 6.4). Pure. */
import type { ArgFunc, PropertyLogRow } from '@ithings/contract/features/history.ts'
import type { Property, ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { TimeWindow } from '#blocks/history-chart/history-chart.tsx'
import { chooseInterval, maxRows, rawInterval } from '#blocks/history-chart/interval.ts'
import { type HistorySeries, shortestUsualPause, statFuncs } from '#blocks/history-chart/series.ts'
import { isNumeric, isState } from '#blocks/typed-value/value-text.ts'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import type { PropertyLogBody } from '../live-queries.ts'

export const maxProperties = 6
export const maxDevices = 5
/** Of both palettes, plain and dashed. */
export const maxLines = 12

export interface HistoryChoice {
  time: TimeChoice
  /** auto, raw, or milliseconds. */
  interval: string
  func: ArgFunc
  properties: readonly Property[]
  productID: string
  deviceNames: readonly string[]
}

export interface HistoryPlan {
  from: number
  to: number
  /** 0: raw values. */
  interval: number
  coarser: boolean
  requests: PropertyLogBody[]
}

/** Properties whose history is kept. */
export const recordedOf = ({ properties }: Pick<ThingModel, 'properties'>): Property[] =>
  properties.filter(({ isNoRecord }) => !isNoRecord)

/** What has a place on a chart; texts, times and groups are read in the table. */
export const isDrawable = ({ define }: Property): boolean => isNumeric(define) || isState(define)

/** States have no average: they are drawn by their last value in each bucket. */
export const funcFor = (property: Property, func: ArgFunc): ArgFunc =>
  isNumeric(property.define) || func === 'count' || func === 'first' ? func : 'last'

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function rangeOf(time: TimeChoice, now: number): { from: number; to: number } {
  const { timeStart, timeEnd } = resolveTime(time, now)
  return { from: Number(timeStart), to: timeEnd === '0' ? now : Number(timeEnd) }
}

/** Funcs that states answer too. */
const stateFuncs: readonly ArgFunc[] = ['last', 'count']

/** @param pause how far apart the values lie, once that is known */
export function planHistory(choice: HistoryChoice, now: number, pause = 0): HistoryPlan {
  const { from, to } = rangeOf(choice.time, now)
  const drawn = choice.properties.filter(isDrawable)
  const lines = drawn.length * choice.deviceNames.length
  const { ms: interval, coarser } = chooseInterval(choice.interval, to - from, lines, pause)
  const common = {
    productID: choice.productID,
    deviceNames: [...choice.deviceNames],
    timeStart: from,
    timeEnd: to,
    page: { page: 1, size: maxRows },
  }
  const ids = (properties: readonly Property[]) => properties.map(({ identifier }) => identifier)
  if (interval === 0) {
    return { from, to, interval, coarser, requests: drawn.length > 0 ? [{ ...common, dataIDs: ids(drawn) }] : [] }
  }
  const groups = Map.groupBy(drawn, (property) => (isNumeric(property.define) ? 'number' : 'state'))
  const requests = [...groups].map(([kind, properties]): PropertyLogBody => {
    const [first] = properties
    const func = first ? funcFor(first, choice.func) : choice.func
    const beside = kind === 'number' ? statFuncs : stateFuncs
    return {
      ...common,
      dataIDs: ids(properties),
      interval,
      argFunc: func,
      argFuncs: [...new Set([func, ...beside])],
      timeZone: timeZone(),
    }
  })
  return { from, to, interval, coarser, requests }
}

/** Exactly what is shown: these buckets of this part of the range. */
export const shownChoice = (choice: HistoryChoice, interval: number, { from, to }: TimeWindow): HistoryChoice => ({
  ...choice,
  interval: interval === 0 ? rawInterval : String(interval),
  time: { timeStart: String(from), timeEnd: String(to) },
})

/** The highest value of a line in a part of the range, as somebody would write it; undefined: it has none there. */
export function highestIn({ points }: Pick<HistorySeries, 'points'>, { from, to }: TimeWindow): number | undefined {
  const values = points.flatMap(([time, value]) => (value !== null && time >= from && time <= to ? [value] : []))
  return values.length > 0 ? Number(values.reduce((one, other) => Math.max(one, other)).toPrecision(6)) : undefined
}

export interface HistoryAnswer extends HistoryPlan {
  rows: PropertyLogRow[]
  total: number
}

type ReadPropertyLog = (body: PropertyLogBody) => Promise<{ list: PropertyLogRow[]; total: number }>

/** Reads once, and once more by coarser buckets where the first answer shows that the values lie further apart. */
export async function readHistory(choice: HistoryChoice, now: number, read: ReadPropertyLog): Promise<HistoryAnswer> {
  const ask = async (plan: HistoryPlan) => {
    const answers = await Promise.all(plan.requests.map(read))
    const total = answers.reduce((sum, answer) => sum + answer.total, 0)
    return { ...plan, rows: answers.flatMap(({ list }) => list), total }
  }
  const first = await ask(planHistory(choice, now))
  const coarser = planHistory(choice, now, shortestUsualPause(first.rows))
  return coarser.interval === first.interval ? first : ask(coarser)
}
