/**
 * The picture of a backtest (look.md "Rules as sentences"): the extreme value, the limit, firings, and lanes of draft
 * and saved. Pure.
 */

import type { BacktestReport } from '@ithings/contract/features/scenes/trial.ts'
import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { chartPalette, type Surface, surfaces } from '#kit/theme/palette.ts'

interface Point {
  timestamp: number
  min: number
  max: number
}

/** A limit that nearly everything is above is one that values fall below. */
export function isFloor(points: readonly Point[], threshold: readonly number[]): boolean {
  const [limit] = threshold
  if (limit === undefined || threshold.length > 1 || points.length === 0) return false
  return points.filter(({ max }) => max > limit).length > points.length / 2
}

/** Moments and their values. */
type Line = readonly (readonly [number, number])[]

/** The value of the line at a moment: where a ring of a firing is drawn. */
export function valueAt(points: Line, at: number): number | undefined {
  let best: readonly [number, number] | undefined
  for (const point of points) {
    if (!best || Math.abs(point[0] - at) < Math.abs(best[0] - at)) best = point
  }
  return best?.[1]
}

const daysText = (at: number, span: number): string => dayjs(at).format(span > 2 * 86_400_000 ? 'MM-DD' : 'HH:mm')

const marks = { type: 'line', showSymbol: true, silent: true, lineStyle: { opacity: 0 }, animation: false }

/** Firings as rings upon the line of the values. */
const rings = (points: Line, at: readonly { timestamp: number }[], name: string, fill: string, color: string) => ({
  ...marks,
  name,
  symbol: 'circle',
  symbolSize: 8,
  itemStyle: { color: fill, borderColor: color, borderWidth: 2 },
  z: 4,
  data: at.flatMap(({ timestamp }) => {
    const value = valueAt(points, timestamp)
    return value === undefined ? [] : [[timestamp, value]]
  }),
})

/** Firings as strokes in a lane below the values. */
const lane = (name: string, times: readonly number[], row: number, color: string) => ({
  ...marks,
  name,
  xAxisIndex: 1,
  yAxisIndex: 1,
  symbol: 'rect',
  symbolSize: [2, 12],
  itemStyle: { color },
  data: times.map((at) => [at, row]),
})

/** Round ends a little outside of the values, so that the limit never lies on the frame. */
function endsOf(values: readonly number[]): { min?: number; max?: number } {
  if (values.length === 0) return {}
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const step = 10 ** Math.floor(Math.log10(max - min || 1))
  const rounded = (round: (steps: number) => number, value: number) =>
    Number((round(value / step) * step).toPrecision(12))
  return { min: rounded(Math.floor, min), max: rounded(Math.ceil, max) }
}

/** The draft is the last of the lanes. */
function axesOf(from: number, to: number, lanes: readonly string[], c: Surface) {
  const time = { type: 'time', min: from, max: to, axisLine: { show: false } }
  return {
    grid: [
      { left: 44, right: 12, top: 10, bottom: 64 + 14 * lanes.length - 14 },
      { left: 44, right: 12, height: 18 * lanes.length, bottom: 26 },
    ],
    xAxis: [
      { ...time, axisLabel: { show: false } },
      {
        ...time,
        gridIndex: 1,
        axisLabel: { hideOverlap: true, formatter: (at: number) => daysText(at, to - from) },
      },
    ],
    laneAxis: {
      type: 'category',
      gridIndex: 1,
      data: lanes,
      axisLine: { show: false },
      splitLine: { show: false },
      axisLabel: { fontSize: 11, color: (name: string) => (name === lanes.at(-1) ? c.error : c.tertiary) },
    },
  }
}

export interface Lanes {
  from: number
  to: number
  report: BacktestReport
  dark: boolean
}

export function backtestOption({ from, to, report, dark }: Lanes): EChartsCoreOption {
  const { chart, fired, missedAt, saved } = report
  const [line] = chartPalette[dark ? 'dark' : 'light']
  const c = surfaces[dark ? 'dark' : 'light']
  const floor = isFloor(chart.points, chart.threshold)
  const points = chart.points.map(({ timestamp, min, max }) => [timestamp, floor ? min : max] as const)
  const lanes = saved ? [t('已存'), t('草稿')] : [t('草稿')]
  const draftTimes = fired.map(({ timestamp }) => timestamp)
  const { laneAxis, ...axes } = axesOf(from, to, lanes, c)
  return {
    ...axes,
    yAxis: [
      {
        scale: true,
        ...endsOf(points.map(([, value]) => value).concat(chart.threshold)),
        splitNumber: 3,
        // look.md "Lines": the value of the limit stands in place of the tick.
        axisLabel: { formatter: (value: number) => (chart.threshold.includes(value) ? '' : String(value)) },
      },
      laneAxis,
    ],
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'line' },
      formatter: (items: { seriesName: string; value: [number, number] }[]) => {
        const own = items.find(({ seriesName }) => seriesName === chart.property)
        return own ? `${dayjs(own.value[0]).format('MM-DD HH:mm:ss')}<br/>${own.value[1]}` : ''
      },
    },
    series: [
      {
        name: chart.property,
        type: 'line',
        data: points,
        lineStyle: { width: 1.5, color: line },
        itemStyle: { color: line },
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { color: c.errorDot, type: 'dashed', width: 1 },
          label: { position: 'start', color: c.error, fontWeight: 600, formatter: '{c}' },
          data: chart.threshold.map((yAxis) => ({ yAxis })),
        },
      },
      rings(points, missedAt, t('条件不成立'), c.container, c.tertiary),
      rings(points, fired, t('触发'), c.container, c.errorDot),
      lane(t('草稿'), draftTimes, lanes.length - 1, c.errorDot),
      ...(saved ? [lane(t('已存'), saved.times, 0, c.tertiary)] : []),
    ],
  }
}
