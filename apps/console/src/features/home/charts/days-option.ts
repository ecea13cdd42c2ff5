/** New alarms of seven days as stacked bars, the sum above each. Pure. */

import { alarmLevelLabels, alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import type { HomeSummary } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import type { EChartsCoreOption } from 'echarts/core'
import { numberText } from '#kit/number-text.ts'
import { average, niceTop } from '../figures.ts'
import { barColour, look } from '../look.ts'
import { timeAxis, tooltip, valueAxis } from './chart-parts.ts'

export type AlarmDays = readonly Pick<HomeSummary['alarms']['days'][number], 'day' | 'levels'>[]

export const sumOf = (levels: readonly number[]): number => levels.reduce((sum, count) => sum + count, 0)

/** Without the last day, which is not over. */
export const averageBefore = (days: AlarmDays): number => average(days.slice(0, -1).map(({ levels }) => sumOf(levels)))

/** `11-13`, and 今天 for the last. */
export const dayWord = (days: AlarmDays, index: number): string =>
  index === days.length - 1 ? t('今天') : (days[index]?.day.slice(-5) ?? '')

/** Left of the bars; the links below them begin there, too. */
export const axisRoom = (days: AlarmDays, font: number): number =>
  numberText(niceTop(Math.max(...days.map(({ levels }) => sumOf(levels))))).length * font * 0.62 + 10

export function daysOption(days: AlarmDays, font: number): EChartsCoreOption {
  const sums = days.map(({ levels }) => sumOf(levels))
  const top = niceTop(Math.max(...sums))
  const lowFirst = alarmLevels.toReversed()
  return {
    grid: { left: axisRoom(days, font), right: 4, top: font * 1.6, bottom: 4 },
    tooltip: {
      ...tooltip(font),
      axisPointer: { type: 'shadow', shadowStyle: { color: 'rgba(91, 140, 255, 0.08)' } },
      confine: true,
    },
    xAxis: {
      ...timeAxis,
      type: 'category',
      data: days.map((_, index) => dayWord(days, index)),
      axisLabel: { show: false },
    },
    yAxis: valueAxis(0, top, font, (value) => numberText(Math.round(value))),
    series: [
      ...lowFirst.map((level) => ({
        name: t(alarmLevelLabels[level]),
        type: 'bar',
        stack: 'day',
        barWidth: '45%',
        barMaxWidth: font * 3,
        itemStyle: { color: barColour(level), borderColor: look.panel, borderWidth: 1, borderRadius: 0 },
        data: days.map(({ levels }) => levels[level - 1] ?? 0),
      })),
      {
        name: t('合计'),
        type: 'line',
        showSymbol: true,
        symbol: 'circle',
        symbolSize: 1,
        lineStyle: { opacity: 0 },
        itemStyle: { color: look.secondary },
        label: {
          show: true,
          position: 'top',
          color: look.text,
          fontSize: font,
          formatter: ({ value }: { value: number }) => numberText(value),
        },
        data: sums,
      },
    ],
  }
}
