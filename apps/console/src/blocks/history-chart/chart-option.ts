/** Lines of the history as an ECharts option (look.md 15). Pure. */
import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'
import type { EChartsCoreOption } from 'echarts/core'
import { durationText } from '#blocks/alarm-records/record-words.ts'
import { isNoLimit } from '#blocks/model-form/define-summary.ts'
import { figureText, isNumeric, isState, measuredText } from '#blocks/typed-value/value-text.ts'
import { intervalLabel } from './interval.ts'
import { axisKey, counted, type HistoryPicture, markColours, markSigns, pointText } from './picture.ts'
import type { HistorySeries, Point } from './series.ts'

/** look.md 15: the palette has six colours; further lines take them again, dashed. */
export const paletteSize = 6

/** Names of narrower bands would lie on top of each other. */
const labelledShare = 0.05
const mostMarksTold = 5
const neutral = 'rgba(128, 138, 160, 0.16)'

const drawnAsSteps = (picture: HistoryPicture, { property }: HistorySeries): boolean =>
  isState(property.define) && !counted(picture)

/** A state that never changed is drawn among all that it could be; what is no state has no word beside the axis. */
function stateAxis(picture: HistoryPicture, owner: HistorySeries) {
  const { type, mapping } = owner.property.define
  const known = type === 'bool' ? [0, 1] : Object.keys(mapping ?? {}).map(Number)
  return {
    minInterval: 1,
    min: ({ min }: { min: number }) => Math.min(min, ...known),
    max: ({ max }: { max: number }) => Math.max(max, ...known),
    axisLabel: { formatter: (value: number) => (known.includes(value) ? pointText(picture, owner, value) : '') },
  }
}

function axes(picture: HistoryPicture, keys: readonly string[]) {
  return keys.map((key, index) => {
    const owner = picture.series.find((line) => axisKey(picture, line) === key)
    const steps = owner && drawnAsSteps(picture, owner) ? owner : undefined
    return {
      type: 'value',
      scale: true,
      // More than two scales beside a chart cannot be read: the tooltip tells the figures of the others.
      show: index < 2,
      position: index === 1 ? 'right' : 'left',
      name: steps ? '' : key,
      ...(index > 0 && { splitLine: { show: false } }),
      ...(steps ? stateAxis(picture, steps) : { axisLabel: { formatter: (value: number) => measuredText(value) } }),
    }
  })
}

const timeOf = (ms: number, interval: number): string =>
  interval > 0
    ? t('{time} 起 {interval}', { time: dayjs(ms).format('MM-DD HH:mm:ss'), interval: intervalLabel(interval) })
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
  if (!isPoint(first)) return ''
  const [time] = first
  const near = Math.max(picture.interval, (picture.to - picture.from) / 200)
  const marks = (picture.marks ?? [])
    .filter((mark) => mark.time > time - near && mark.time < time + near)
    .slice(0, mostMarksTold)
    .map((mark) => `${markSigns[mark.kind]} ${dayjs(mark.time).format('HH:mm:ss')} ${escapeHtml(mark.name)}`)
  return [timeOf(time, picture.interval), ...lines, ...marks].join('<br/>')
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

function lineSeries(picture: HistoryPicture, keys: readonly string[], marks: object[], bands: object[]) {
  return picture.series.map((line, index) => ({
    type: 'line',
    name: line.name,
    data: line.points,
    yAxisIndex: keys.indexOf(axisKey(picture, line)),
    sampling: drawnAsSteps(picture, line) ? undefined : 'lttb',
    ...symbols(line.points),
    ...(drawnAsSteps(picture, line) && { step: 'end' }),
    ...(index >= paletteSize && { lineStyle: { type: 'dashed', width: 2 } }),
    ...(index === 0 && marks.length > 0 && { markLine: { symbol: 'none', data: marks, animation: false } }),
    ...(index === 0 &&
      bands.length > 0 && {
        markArea: {
          silent: true,
          itemStyle: { color: neutral },
          label: { position: 'insideBottom', fontSize: 12, color: markColours.info, textBorderWidth: 0 },
          data: bands,
        },
      }),
  }))
}

/** Further away than this many times the range of the values, a limit would press the line flat. */
const nearby = 3

/** Those that are drawn. */
export function limitsNear(picture: HistoryPicture) {
  if (counted(picture)) return []
  return (picture.limits ?? []).flatMap(({ identifier, value, text }) => {
    const lines = picture.series.filter(({ property }) => property.identifier === identifier)
    const [line] = lines
    const values = lines.flatMap(({ stats: { min, max } }) => (min === null || max === null ? [] : [min, max]))
    const [low, high] = [Math.min(...values), Math.max(...values)]
    const room = nearby * (high - low || Math.abs(high))
    return line && value >= low - room && value <= high + room ? [{ line, value, text, above: value > high }] : []
  })
}

/** Series and not marks: the axis has to reach to the limit. */
function limitSeries(picture: HistoryPicture, keys: readonly string[]) {
  return limitsNear(picture).map(({ line, value, text, above }) => {
    const color = markColours.alert
    return {
      type: 'line',
      data: [
        [picture.from, value],
        [picture.to, value],
      ],
      yAxisIndex: keys.indexOf(axisKey(picture, line)),
      showSymbol: false,
      silent: true,
      animation: false,
      tooltip: { show: false },
      lineStyle: { type: 'dashed', width: 1, color },
      itemStyle: { color },
      markLine: {
        silent: true,
        symbol: 'none',
        lineStyle: { color: 'transparent' },
        // Towards the values: beyond them stand the names of the axes.
        label: { position: above ? 'insideStartBottom' : 'insideStartTop', formatter: () => text, color },
        data: [{ yAxis: value }],
      },
    }
  })
}

/** Properties whose model says how far their values may go. */
export function rangesOf(picture: HistoryPicture): HistorySeries[] {
  const lines = new Map(picture.series.map((line) => [line.property.identifier, line]))
  const isBound = ({ property: { define } }: HistorySeries) =>
    isNumeric(define) && !(isNoLimit(define.min) && isNoLimit(define.max))
  return counted(picture) ? [] : [...lines.values()].filter(isBound)
}

/** Marks and not values: an axis that reached to both ends would press most lines flat, so they show where values come near. */
function rangeSeries(picture: HistoryPicture, keys: readonly string[]) {
  const lines = rangesOf(picture)
  return lines.map((line) => {
    const { name, define } = line.property
    const ends = [
      { text: t('上限'), end: define.max, position: 'insideEndBottom' },
      { text: t('下限'), end: define.min, position: 'insideEndTop' },
    ].filter(({ end }) => !isNoLimit(end))
    return {
      type: 'line',
      data: [],
      yAxisIndex: keys.indexOf(axisKey(picture, line)),
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        lineStyle: { color: markColours.info, type: 'dotted', opacity: 0.8 },
        data: ends.map(({ text, end, position }) => ({
          yAxis: Number(end),
          label: {
            position,
            color: markColours.info,
            formatter: () => `${lines.length > 1 ? name : ''}${text} ${figureText(define, Number(end))}`,
          },
        })),
      },
    }
  })
}

export function historyOption(picture: HistoryPicture): EChartsCoreOption {
  const keys = [...new Set(picture.series.map((line) => axisKey(picture, line)))]
  const marks = (picture.marks ?? []).map(({ key, time, type, kind }) => ({
    xAxis: time,
    name: key,
    lineStyle: { color: markColours[type], type: 'dotted' },
    // Room around the sign, so that a finger hits it.
    label: { position: 'end', distance: 0, padding: [6, 8, 4], formatter: markSigns[kind], color: markColours[type] },
  }))
  const bands = (picture.bands ?? []).map(({ from, to }) => {
    const wide = (to - from) / (picture.to - picture.from) > labelledShare
    return [
      { xAxis: from, name: wide ? t('离线 {duration}', { duration: durationText(to - from) }) : '' },
      { xAxis: to },
    ]
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
      // A plain wheel scrolls the page; with Ctrl (or two fingers) it zooms. Dragging selects a part.
      {
        type: 'inside',
        filterMode: 'none',
        zoomOnMouseWheel: 'ctrl',
        moveOnMouseWheel: false,
        moveOnMouseMove: false,
      },
      { type: 'slider', filterMode: 'none', height: 24, bottom: 8, showDetail: false },
    ],
    series: [...lineSeries(picture, keys, marks, bands), ...limitSeries(picture, keys), ...rangeSeries(picture, keys)],
  }
}
