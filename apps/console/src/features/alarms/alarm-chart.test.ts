import { expect, test } from 'vitest'
import { surfaces } from '#kit/theme/palette.ts'
import { alarmChartOption, beyondLimit } from './alarm-chart.ts'

test('the part over the limit begins and ends where the line crosses it', () => {
  expect(
    beyondLimit(
      [
        [0, 70],
        [10, 90],
        [20, 70],
      ],
      80,
      true,
    ),
  ).toEqual([
    [0, null],
    [5, 80],
    [10, 90],
    [15, 80],
    [20, null],
  ])
})

test('below the limit works alike, and gaps stay open', () => {
  expect(
    beyondLimit(
      [
        [0, 5],
        [1, null],
        [2, 15],
        [4, 5],
      ],
      10,
      false,
    ),
  ).toEqual([
    [0, 5],
    [1, null],
    [2, null],
    [3, 10],
    [4, 5],
  ])
})

test('the chart has a line for each limit and marks what has not come yet only when there is such', () => {
  const picture = {
    points: [[1, 2] as [number, number]],
    from: 0,
    to: 100,
    now: 50,
    mark: { time: 40, word: '首次告警' },
    limits: [10, 20],
    above: true,
    steps: false,
    text: String,
    name: '温度',
  }
  const series = (now: number) =>
    alarmChartOption({ ...picture, now }, surfaces.light).series as { markArea?: unknown; showSymbol?: boolean }[]
  expect(series(50)).toHaveLength(4)
  expect(series(50)[0]?.markArea).toBeDefined()
  expect(series(100)[0]?.markArea).toBeUndefined()
  // One report alone is no line, so it is drawn as a dot.
  expect(series(50)[0]?.showSymbol).toBe(true)
})
