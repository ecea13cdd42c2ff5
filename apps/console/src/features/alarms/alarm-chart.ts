/**
 * The property around an alarm as an ECharts option: limits, the alarm's moment, what is over the limit
 * (screens.md 25). Pure.
 */
import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import type { Point } from '#blocks/history-chart/series.ts'
import type { Surface } from '#kit/theme/palette.ts'

export interface AlarmPicture {
  points: readonly Point[]
  from: number
  to: number
  now: number
  /** When it was raised, with the word for it. */
  mark: { time: number; word: string }
  limits: readonly number[]
  /** The value seen lay above the limit. */
  above: boolean
  /** States are drawn as steps. */
  steps: boolean
  text: (value: number) => string
  name: string
}

/** Where the line between two points meets the limit. */
function crossing([t1, v1]: [number, number], [t2, v2]: [number, number], limit: number): Point {
  return [t1 + ((limit - v1) / (v2 - v1)) * (t2 - t1), limit]
}

const isNumber = (point: Point | undefined): point is [number, number] => point !== undefined && point[1] !== null

/** The parts of the line beyond the limit, cut where they cross it; nulls keep them apart. */
export function beyondLimit(points: readonly Point[], limit: number, above: boolean): Point[] {
  const beyond = (value: number) => (above ? value > limit : value < limit)
  return points.flatMap((point, index): Point[] => {
    if (!isNumber(point)) return [point]
    const before = points[index - 1]
    const here = beyond(point[1])
    if (!isNumber(before) || beyond(before[1]) === here) return [here ? point : [point[0], null]]
    const cut = crossing(before, point, limit)
    return here ? [cut, point] : [cut, [point[0], null]]
  })
}

const neutral = 'rgba(128, 138, 160, 0.10)'

export function alarmChartOption(picture: AlarmPicture, colors: Surface): EChartsCoreOption {
  const { points, from, to, now, mark, limits, above, steps, text, name } = picture
  // A single report makes no line: it is a dot, as in the history.
  const dot = points.length === 1 && { symbol: 'circle', showSymbol: true }
  const line = { type: 'line', animation: false, ...dot, ...(steps && { step: 'end' }) }
  const worst = above ? Math.max(...limits) : Math.min(...limits)
  return {
    grid: { left: 8, right: 16, top: 28, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'axis',
      confine: true,
      axisPointer: { type: 'line' },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? text(value) : '—'),
    },
    xAxis: { type: 'time', min: from, max: to, axisLabel: { hideOverlap: true, formatter: '{HH}:{mm}' } },
    yAxis: {
      type: 'value',
      scale: true,
      ...(steps && { minInterval: 1, axisLabel: { formatter: (value: number) => text(value) } }),
    },
    series: [
      {
        ...line,
        name,
        data: points,
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { type: 'solid', width: 1.5, color: colors.secondary },
          label: { formatter: `${mark.word} ${dayjs(mark.time).format('HH:mm:ss')}`, color: colors.text },
          data: [{ xAxis: mark.time }],
        },
        ...(now < to && {
          markArea: {
            silent: true,
            itemStyle: { color: neutral },
            label: { position: 'inside', color: colors.tertiary, textBorderWidth: 0 },
            data: [[{ xAxis: Math.max(now, from), name: t('尚未到达') }, { xAxis: to }]],
          },
        }),
      },
      ...(limits.length > 0 && !steps
        ? [
            {
              ...line,
              name,
              data: beyondLimit(points, worst, above),
              lineStyle: { color: colors.errorDot, width: 2 },
              itemStyle: { color: colors.errorDot },
              tooltip: { show: false },
              silent: true,
            },
          ]
        : []),
      // A series and not a mark: the axis has to reach to the limit.
      ...limits.map((limit) => ({
        type: 'line',
        data: [
          [from, limit],
          [to, limit],
        ],
        silent: true,
        animation: false,
        tooltip: { show: false },
        lineStyle: { type: 'dashed', width: 1, color: colors.errorDot },
        itemStyle: { color: colors.errorDot },
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { color: 'transparent' },
          label: {
            position: 'insideStartTop',
            formatter: t('阈值 {text}', { text: text(limit) }),
            color: colors.error,
          },
          data: [{ yAxis: limit }],
        },
      })),
    ],
  }
}
