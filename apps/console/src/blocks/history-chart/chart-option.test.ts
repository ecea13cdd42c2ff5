import type { Define } from '@ithings/contract/thing-model/define.ts'
import { expect, test } from 'vitest'
import { historyOption } from './chart-option.ts'
import { type HistoryPicture, pointText } from './picture.ts'
import type { HistorySeries } from './series.ts'

const stats = { count: 1, min: 1, max: 1, avg: 1, last: 1 }
const line = (identifier: string, define: Define, name = identifier): HistorySeries => ({
  key: `d1/${identifier}`,
  name,
  deviceName: 'd1',
  property: { identifier, name, define },
  points: [
    [1_700_000_000_000, 1],
    [1_700_000_300_000, 2],
  ],
  stats,
})
const lamp: Define = { type: 'bool', mapping: { 0: '关', 1: '开' } }
const picture = (series: HistorySeries[], more: Partial<HistoryPicture> = {}): HistoryPicture => ({
  series,
  from: 1_700_000_000_000,
  to: 1_700_003_600_000,
  interval: 300_000,
  func: 'avg',
  ...more,
})

interface Drawn {
  yAxis: {
    show: boolean
    position: string
    min?: (extent: { min: number }) => number
    max?: (extent: { max: number }) => number
    axisLabel: { formatter: (value: number) => string }
  }[]
  series: {
    showSymbol: boolean
    symbol: (point: unknown, at: { dataIndex: number }) => string
    yAxisIndex: number
    step?: string
    markLine?: { data: { yAxis?: number; label?: { formatter: () => string } }[] }
    markArea?: unknown
  }[]
  tooltip: { formatter: (given: unknown) => string }
}
const draw = (given: HistoryPicture) => historyOption(given) as unknown as Drawn

test('look.md 15: lines of one unit share an axis, the second unit is on the right, a third has none of its own to read', () => {
  const drawn = draw(
    picture([
      line('a', { type: 'float', unit: 'MPa' }),
      line('b', { type: 'float', unit: 'MPa' }),
      line('c', { type: 'float', unit: '℃' }),
      line('d', { type: 'int' }),
    ]),
  )
  expect(drawn.series.map(({ yAxisIndex }) => yAxisIndex)).toEqual([0, 0, 1, 2])
  expect(drawn.yAxis.map(({ show, position }) => [show, position])).toEqual([
    [true, 'left'],
    [true, 'right'],
    [false, 'left'],
  ])
})

test('a switch is drawn in steps and its axis speaks in words', () => {
  const drawn = draw(picture([line('lamp', lamp)]))
  expect(drawn.series[0]?.step).toBe('end')
  expect(drawn.yAxis[0]?.axisLabel.formatter(1)).toBe('开')
})

test('a switch that stayed on is drawn between off and on, and nothing beside the axis is called off that is not', () => {
  const [axis] = draw(picture([line('lamp', lamp)])).yAxis
  expect([axis?.min?.({ min: 1 }), axis?.max?.({ max: 1 })]).toEqual([0, 1])
  expect([0, 0.5, 1, 2].map((value) => axis?.axisLabel.formatter(value))).toEqual(['关', '', '开', ''])
})

test('how many values a switch sent is a number again', () => {
  const counts = picture([line('lamp', lamp)], { func: 'count' })
  expect(draw(counts).series[0]?.step).toBeUndefined()
  expect(pointText(counts, line('lamp', lamp), 12)).toBe('12 条')
})

test('names from people cannot put markup into the page', () => {
  const drawn = draw(picture([line('x', { type: 'float', unit: '<b>' }, '<img src=x onerror=alert(1)>')]))
  const text = drawn.tooltip.formatter([{ seriesIndex: 0, marker: '', value: [1_700_000_000_000, 1] }])
  expect(text).toContain('&lt;img src=x')
  expect(text).not.toContain('<img')
  expect(text).toContain('起 5 分钟')
})

test('a value between two gaps is drawn with a symbol, the others are a line without', () => {
  const points: HistorySeries['points'] = [
    [1, 1],
    [2, 1],
    [3, null],
    [4, 1],
  ]
  const [lone] = draw(picture([{ ...line('a', { type: 'float' }), points }])).series
  expect(lone?.showSymbol).toBe(true)
  expect([0, 1, 3].map((dataIndex) => lone?.symbol(points[dataIndex], { dataIndex }))).toEqual([
    'none',
    'none',
    'circle',
  ])
  expect(draw(picture([line('a', { type: 'float' })])).series[0]?.showSymbol).toBe(false)
})

test('events and the time away are drawn once, on the first line', () => {
  const drawn = draw(
    picture([line('a', { type: 'float' }), line('b', { type: 'float' })], {
      marks: [{ key: 'e1', time: 1_700_000_100_000, name: '液位过高', type: 'alert', kind: 'event' }],
      bands: [{ from: 1_700_000_000_000, to: 1_700_000_200_000 }],
    }),
  )
  expect(drawn.series[0]?.markLine?.data).toMatchObject([{ name: 'e1' }])
  expect(drawn.series[0]?.markArea).toBeDefined()
  expect(drawn.series[1]?.markLine).toBeUndefined()
})

test('a hovered point tells what happened beside it', () => {
  const drawn = draw(
    picture([line('a', { type: 'float' })], {
      marks: [
        { key: 'c1', time: 1_700_000_100_000, name: '<b>', type: 'info', kind: 'command' },
        { key: 'c2', time: 1_700_003_000_000, name: '后来', type: 'info', kind: 'config' },
      ],
    }),
  )
  const text = drawn.tooltip.formatter([{ seriesIndex: 0, marker: '', value: [1_700_000_000_000, 1] }])
  expect(text).toMatch(/▼ \d\d:\d\d:\d\d &lt;b&gt;$/)
})

test('a limit is a line on the axis of its property, unless it lies so far away that the values would be flat', () => {
  const limit = (value: number) => ({ identifier: 'b', value, text: `过高 > ${value}` })
  const lines = [line('a', { type: 'float', unit: 'MPa' }), line('b', { type: 'float', unit: '℃' })]
  const wide = { ...stats, min: 0, max: 10 }
  const drawn = (value: number, more: Partial<HistoryPicture> = {}) =>
    draw(
      picture(
        lines.map((one) => ({ ...one, stats: wide })),
        { limits: [limit(value)], ...more },
      ),
    ).series.slice(2)
  expect(drawn(40).map(({ yAxisIndex }) => yAxisIndex)).toEqual([1])
  expect(drawn(41)).toEqual([])
  // How many values there were has nothing to do with it.
  expect(drawn(40, { func: 'count' })).toEqual([])
})

test('the range of the model is a line at each of its ends, once for several devices, without stretching the axis', () => {
  const bounded = line('a', { type: 'float', min: '0', max: '10', unit: 'MPa' }, '压力')
  const open = line('b', { type: 'int', min: '-9999999999999', max: '9999999999999' })
  const ends = (more: Partial<HistoryPicture> = {}) =>
    draw(picture([bounded, { ...bounded, key: 'd2/a', deviceName: 'd2' }, open], more)).series.slice(3)
  expect(ends().map(({ markLine }) => markLine?.data.map(({ yAxis }) => yAxis))).toEqual([[10, 0]])
  expect(ends()[0]).toMatchObject({ data: [], yAxisIndex: 0 })
  expect(ends()[0]?.markLine?.data[0]?.label?.formatter()).toBe('上限 10 MPa')
  expect(ends({ func: 'count' })).toEqual([])
})
