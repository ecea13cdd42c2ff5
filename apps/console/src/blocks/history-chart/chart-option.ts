/** Lines of the history as an ECharts option (look.md 15, mockup 05). Pure. */
import type { ArgFunc } from '@ithings/contract/features/devices/msg.ts'
import type { EventType } from '@ithings/contract/thing-model/model.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { describeValue, figureText, isState, numberText } from '#blocks/typed-value/value-text.ts'
import { intervalLabel } from './interval.ts'
import type { HistorySeries, Point } from './series.ts'

/** An event that happened in the range: a thin line across the chart. */
export interface ChartMark {
  time: number
  name: string
  type: EventType
}

/** The device was away. */
export interface OfflineBand {
  from: number
  to: number
}

export interface HistoryPicture {
  series: readonly HistorySeries[]
  from: number
  to: number
  /** 0: raw values. */
  interval: number
  func: ArgFunc
  marks?: readonly ChartMark[]
  bands?: readonly OfflineBand[]
}

/** look.md 15: the palette has six colours; further lines take them again, dashed. */
export const paletteSize = 6

/** Names of narrower bands would lie on top of each other. */
const labelledShare = 0.05
const neutral = 'rgba(128, 138, 160, 0.16)'
const markColours: Record<EventType, string> = { info: '#8595BA', alert: '#E08A00', fault: '#E5484D' }

const counted = (picture: HistoryPicture): boolean => picture.interval > 0 && picture.func === 'count'

const drawnAsSteps = (picture: HistoryPicture, { property }: HistorySeries): boolean =>
  isState(property.define) && !counted(picture)

/** Lines of one unit share an axis; states have one of their own. */
function axisKey(picture: HistoryPicture, line: HistorySeries): string {
  if (counted(picture)) return '条'
  return isState(line.property.define) ? `state ${line.property.identifier}` : (line.property.define.unit ?? '')
}

export function pointText(
  picture: Pick<HistoryPicture, 'interval' | 'func'>,
  line: HistorySeries,
  value: number,
): string {
  const { define } = line.property
  if (picture.interval > 0 && picture.func === 'count') return `${numberText(value)} 条`
  if (isState(define)) return describeValue(define, define.type === 'bool' ? value === 1 : value)
  return figureText(define, value)
}

function axes(picture: HistoryPicture, keys: readonly string[]) {
  return keys.map((key, index) => {
    const owner = picture.series.find((line) => axisKey(picture, line) === key)
    const steps = owner && drawnAsSteps(picture, owner)
    return {
      type: 'value',
      scale: true,
      // More than two scales beside a chart cannot be read: the tooltip tells the figures of the others.
      show: index < 2,
      position: index === 1 ? 'right' : 'left',
      name: steps ? '' : key,
      ...(index > 0 && { splitLine: { show: false } }),
      ...(steps && { minInterval: 1 }),
      axisLabel: {
        formatter: (value: number) => (steps && owner ? pointText(picture, owner, value) : numberText(value)),
      },
    }
  })
}

const timeOf = (ms: number, interval: number): string =>
  interval > 0
    ? `${dayjs(ms).format('MM-DD HH:mm:ss')} 起 ${intervalLabel(interval)}`
    : dayjs(ms).format('MM-DD HH:mm:ss.SSS')

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Names come from people: ECharts puts the tooltip into the page as HTML. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')

interface HoveredPoint {
  seriesIndex?: number
  marker?: unknown
  value?: unknown
}

const isPoint = (value: unknown): value is Point => Array.isArray(value) && typeof value[0] === 'number'

function tooltipText(picture: HistoryPicture, hovered: readonly HoveredPoint[]): string {
  const lines = hovered.flatMap(({ seriesIndex, marker, value }) => {
    const line = picture.series[seriesIndex ?? -1]
    if (!line || !isPoint(value)) return []
    const words = value[1] === null ? '—' : pointText(picture, line, value[1])
    return [`${String(marker ?? '')}${escapeHtml(line.name)} <b>${escapeHtml(words)}</b>`]
  })
  const first = hovered[0]?.value
  const head = isPoint(first) ? timeOf(first[0], picture.interval) : ''
  return [head, ...lines].join('<br/>')
}

/** A value without neighbours would be invisible as a line without length. */
const isLone = (points: readonly Point[], index: number): boolean =>
  typeof points[index - 1]?.[1] !== 'number' && typeof points[index + 1]?.[1] !== 'number'

function symbols(points: readonly Point[]) {
  if (!points.some(([, value], index) => value !== null && isLone(points, index))) {
    return { showSymbol: false, symbol: 'circle' }
  }
  return {
    showSymbol: true,
    symbolSize: 6,
    symbol: (_: unknown, { dataIndex }: { dataIndex: number }) => (isLone(points, dataIndex) ? 'circle' : 'none'),
  }
}

export function historyOption(picture: HistoryPicture): EChartsCoreOption {
  const keys = [...new Set(picture.series.map((line) => axisKey(picture, line)))]
  const marks = (picture.marks ?? []).map(({ time, name, type }) => ({
    xAxis: time,
    name,
    lineStyle: { color: markColours[type], type: 'dotted' },
    label: { show: false },
  }))
  const bands = (picture.bands ?? []).map(({ from, to }) => {
    const wide = (to - from) / (picture.to - picture.from) > labelledShare
    return [{ xAxis: from, name: wide ? '离线' : '' }, { xAxis: to }]
  })
  return {
    grid: { left: 8, right: 8, top: 32, bottom: 56, containLabel: true },
    xAxis: {
      type: 'time',
      min: picture.from,
      max: picture.to,
      axisLabel: { hideOverlap: true, formatter: { day: '{MM}-{dd}', month: '{yyyy}-{MM}' } },
    },
    yAxis: axes(picture, keys),
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'line' },
      formatter: (given: unknown) => tooltipText(picture, (Array.isArray(given) ? given : [given]) as HoveredPoint[]),
    },
    dataZoom: [
      // A plain wheel scrolls the page; with Ctrl (or two fingers) it zooms.
      { type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false },
      { type: 'slider', filterMode: 'none', height: 24, bottom: 8, showDetail: false },
    ],
    series: picture.series.map((line, index) => ({
      type: 'line',
      name: line.name,
      data: line.points,
      yAxisIndex: keys.indexOf(axisKey(picture, line)),
      sampling: drawnAsSteps(picture, line) ? undefined : 'lttb',
      ...symbols(line.points),
      ...(drawnAsSteps(picture, line) && { step: 'end' }),
      ...(index >= paletteSize && { lineStyle: { type: 'dashed', width: 2 } }),
      ...(index === 0 &&
        marks.length > 0 && { markLine: { silent: true, symbol: 'none', data: marks, animation: false } }),
      ...(index === 0 &&
        bands.length > 0 && {
          markArea: {
            silent: true,
            itemStyle: { color: neutral },
            label: { position: 'insideBottom', fontSize: 12, color: markColours.info, textBorderWidth: 0 },
            data: bands,
          },
        }),
    })),
  }
}
