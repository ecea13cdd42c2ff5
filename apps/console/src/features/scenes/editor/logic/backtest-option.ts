/**
 * The picture of a backtest (look.md "Rules as sentences"): the extreme value, the limit, firings, and lanes of draft
 * and saved. Pure.
 */
import type { BacktestReport } from '@ithings/contract/features/scenes/trial.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { chartPalette, surfaces } from '#kit/theme/palette.ts'

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

/** The value of the line at a moment: where a ring of a firing is drawn. */
export function valueAt(points: readonly (readonly [number, number])[], at: number): number | undefined {
  let best: readonly [number, number] | undefined
  for (const point of points) {
    if (!best || Math.abs(point[0] - at) < Math.abs(best[0] - at)) best = point
  }
  return best?.[1]
}

const daysText = (at: number, span: number): string => dayjs(at).format(span > 2 * 86_400_000 ? 'MM-DD' : 'HH:mm')

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
  const rings = (times: readonly number[], color: string, name: string) => ({
    name,
    type: 'line',
    showSymbol: true,
    symbol: 'circle',
    symbolSize: 8,
    silent: true,
    lineStyle: { opacity: 0 },
    itemStyle: { color: c.container, borderColor: color, borderWidth: 2 },
    animation: false,
    z: 4,
    data: times.flatMap((at) => {
      const value = valueAt(points, at)
      return value === undefined ? [] : [[at, value]]
    }),
  })
  const lane = (name: string, times: readonly number[], row: number, color: string) => ({
    name,
    type: 'line',
    xAxisIndex: 1,
    yAxisIndex: 1,
    showSymbol: true,
    symbol: 'rect',
    symbolSize: [2, 12],
    silent: true,
    lineStyle: { opacity: 0 },
    itemStyle: { color },
    animation: false,
    data: times.map((at) => [at, row]),
  })
  const lanes = saved ? ['已存', '草稿'] : ['草稿']
  const time = { type: 'time', min: from, max: to }
  const values = points.map(([, value]) => value).concat(chart.threshold)
  return {
    grid: [
      { left: 44, right: 12, top: 10, bottom: 64 + 14 * lanes.length - 14 },
      { left: 44, right: 12, height: 18 * lanes.length, bottom: 26 },
    ],
    xAxis: [
      { ...time, axisLabel: { show: false }, axisLine: { show: false } },
      {
        ...time,
        gridIndex: 1,
        axisLine: { show: false },
        axisLabel: { hideOverlap: true, formatter: (at: number) => daysText(at, to - from) },
      },
    ],
    yAxis: [
      {
        scale: true,
        min: floorTo(Math.min(...values), values),
        max: ceilTo(Math.max(...values), values),
        splitNumber: 3,
        // look.md "Lines": the value of the limit stands in place of the tick.
        axisLabel: { formatter: (value: number) => (chart.threshold.includes(value) ? '' : String(value)) },
      },
      {
        type: 'category',
        gridIndex: 1,
        data: lanes,
        axisLine: { show: false },
        splitLine: { show: false },
        axisLabel: { fontSize: 11, color: (name: string) => (name === '草稿' ? c.error : c.tertiary) },
      },
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
      rings(
        missedAt.map(({ timestamp }) => timestamp),
        c.tertiary,
        '条件不成立',
      ),
      rings(
        fired.map(({ timestamp }) => timestamp),
        c.errorDot,
        '触发',
      ),
      lane(
        '草稿',
        fired.map(({ timestamp }) => timestamp),
        lanes.length - 1,
        c.errorDot,
      ),
      ...(saved ? [lane('已存', saved.times, 0, c.tertiary)] : []),
    ],
  }
}

/** Round ends a little outside of the values, so that the limit never lies on the frame. */
function stepOf(values: readonly number[]): number {
  const size = Math.max(...values) - Math.min(...values) || 1
  return 10 ** Math.floor(Math.log10(size))
}
const floorTo = (value: number, values: readonly number[]) => {
  const step = stepOf(values)
  return Number.isFinite(value) ? Number((Math.floor(value / step) * step).toPrecision(12)) : undefined
}
const ceilTo = (value: number, values: readonly number[]) => {
  const step = stepOf(values)
  return Number.isFinite(value) ? Number((Math.ceil(value / step) * step).toPrecision(12)) : undefined
}
