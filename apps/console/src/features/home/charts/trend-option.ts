/** Curves of the large screen: today, yesterday dashed, the last point a hollow dot (look.md "Lines"). Pure. */

import { hourMs } from '@ithings/contract/durations.ts'
import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readHomeTrend } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { numberText } from '#kit/number-text.ts'
import { niceRange, rateText } from '../figures.ts'
import { look, stateColours } from '../look.ts'
import { labelStyle, timeAxis, tooltip, valueAxis } from './chart-parts.ts'

export type Trend = DataOf<typeof readHomeTrend>

interface TrendLook {
  colour: string
  /** Of texts, in pixels. */
  font: number
  /** Of lines and dots. */
  scale?: number
  /** A rate begins at zero; a number of devices near its lowest value. */
  fromZero: boolean
  /** Says when it was lowest, if that was a real dip. */
  markLowest: boolean
}

const valuesOf = (trend: Trend) =>
  trend.points.flatMap(({ value, before }) => [value, before].flatMap((one) => one ?? []))

export const hasPoints = (trend: Trend): boolean => trend.points.some(({ value }) => value !== null)
export const lastPoint = (trend: Trend) => trend.points.findLast(({ value }) => value !== null)

/** A dip of a fiftieth of the highest is news; the end of the line is not a dip. */
export function lowestPoint({ points, lowest, highest }: Trend) {
  if (highest <= 0 || highest - lowest < Math.max(2, highest / 50)) return undefined
  const at = points.findIndex(({ value }) => value === lowest)
  return at > 0 && at < points.length - 1 ? points[at] : undefined
}

/** A word below a point near an end of the axis would be cut. */
const sideOf = (share: number) => (share > 0.75 ? 'right' : share < 0.25 ? 'left' : 'center')

const axisText = (value: number) => (Number.isInteger(value) ? numberText(value) : rateText(value))

const line = (name: string, color: string, width: number, dashed = false) => ({
  name,
  type: 'line',
  showSymbol: false,
  lineStyle: { width, color, ...(dashed && { type: 'dashed' }) },
  itemStyle: { color },
})

export function trendOption(
  trend: Trend,
  { colour, font, scale = 1, fromZero, markLowest }: TrendLook,
): EChartsCoreOption {
  const values = valuesOf(trend)
  const [highest, lowest] = values.length > 0 ? [Math.max(...values), Math.min(...values)] : [0, 0]
  const [min, max] = niceRange(fromZero ? 0 : lowest, highest)
  const last = lastPoint(trend)
  const dip = markLowest ? lowestPoint(trend) : undefined
  const times = trend.points.map(({ at }) => at)
  const [first = 0, end = 0] = [times[0], times.at(-1)]
  const marks = [
    last && {
      coord: [last.at, last.value],
      symbolSize: 8 * scale,
      itemStyle: { color: look.panel, borderColor: colour, borderWidth: 2 * scale },
      label: { show: false },
    },
    dip && {
      coord: [dip.at, dip.value],
      symbolSize: 7 * scale,
      itemStyle: { color: stateColours.offline },
      label: {
        show: true,
        position: 'bottom',
        align: sideOf((dip.at - first) / Math.max(1, end - first)),
        color: look.secondary,
        fontSize: font,
        formatter: t('{time} 最低 {value}', {
          time: dayjs(dip.at).format('HH:mm'),
          value: axisText(dip.value ?? 0),
        }),
      },
    },
  ].filter((mark) => mark !== undefined)
  return {
    grid: { left: axisText(max).length * font * 0.62 + 12, right: font * 0.7, top: font, bottom: font * 2 },
    tooltip: {
      ...tooltip(font),
      valueFormatter: (value: unknown) => (typeof value === 'number' ? rateText(value) : t('未测得')),
    },
    xAxis: {
      ...timeAxis,
      type: 'time',
      min: times[0],
      max: times.at(-1),
      minInterval: 6 * hourMs,
      maxInterval: 6 * hourMs,
      splitLine: { show: false },
      axisLabel: {
        ...labelStyle(font),
        hideOverlap: true,
        showMinLabel: false,
        showMaxLabel: false,
        formatter: (at: number) => dayjs(at).format('HH:mm'),
      },
    },
    yAxis: valueAxis(min, max, font, axisText),
    series: [
      {
        ...line(t('昨日'), look.tertiary, 1.5 * scale, true),
        data: trend.points.map(({ at, before }) => [at, before]),
      },
      {
        ...line(t('今日'), colour, 2 * scale),
        areaStyle: { color: colour, opacity: 0.08 },
        data: trend.points.map(({ at, value }) => [at, value]),
        markPoint: { silent: true, symbol: 'circle', data: marks },
      },
    ],
  }
}
