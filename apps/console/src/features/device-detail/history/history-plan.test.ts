import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { autoInterval, rawInterval } from '#blocks/history-chart/interval.ts'
import { highestIn, isDrawable, planHistory, readHistory, recordedOf, shownChoice } from './history-plan.ts'

const { model } = readTslText(
  JSON.stringify({
    properties: [
      { identifier: 'p', name: '压力', define: { type: 'float' } },
      { identifier: 'on', name: '泵', define: { type: 'bool', mapping: { 0: '停', 1: '转' } } },
      { identifier: 'note', name: '备注', define: { type: 'string', max: '9' } },
      { identifier: 'fast', name: '不记录', define: { type: 'float' }, isNoRecord: true },
    ],
  }),
)
const now = 1_700_000_000_000
const day = 24 * 3_600_000
const choice = {
  time: { timeStart: String(now - day), timeEnd: '0' },
  interval: autoInterval,
  func: 'avg' as const,
  properties: model.properties.slice(0, 3),
  productID: 'prod',
  deviceNames: ['d1', 'd2'],
}

test('properties whose history is not kept are not offered; texts have no line', () => {
  expect(recordedOf(model).map(({ identifier }) => identifier)).toEqual(['p', 'on', 'note'])
  expect(recordedOf(model).map(isDrawable)).toEqual([true, true, false])
})

test('numbers are asked with the chosen statistic, states with their last value, both with what sums them up', () => {
  const plan = planHistory(choice, now)
  expect(plan).toMatchObject({ from: now - day, to: now, interval: 300_000 })
  expect(plan.requests).toHaveLength(2)
  expect(plan.requests[0]).toMatchObject({
    dataIDs: ['p'],
    deviceNames: ['d1', 'd2'],
    argFunc: 'avg',
    argFuncs: ['avg', 'min', 'max', 'count', 'last'],
    timeStart: now - day,
    timeEnd: now,
    interval: 300_000,
  })
  expect(plan.requests[1]).toMatchObject({ dataIDs: ['on'], argFunc: 'last', argFuncs: ['last', 'count'] })
})

test('raw values come in one call without a statistic', () => {
  const plan = planHistory({ ...choice, interval: rawInterval }, now)
  expect(plan.requests).toEqual([
    {
      productID: 'prod',
      deviceNames: ['d1', 'd2'],
      dataIDs: ['p', 'on'],
      timeStart: now - day,
      timeEnd: now,
      page: { page: 1, size: 10_000 },
    },
  ])
})

test('texts alone ask for nothing to draw', () => {
  expect(planHistory({ ...choice, properties: model.properties.slice(2, 3) }, now).requests).toEqual([])
})

test('a device that reports every quarter of an hour is read again by quarters of an hour, and by them only', async () => {
  const asked: number[] = []
  const quarter = 900_000
  const answer = await readHistory({ ...choice, properties: model.properties.slice(0, 1) }, now, async (body) => {
    asked.push(Number(body.interval))
    const list = Array.from({ length: 96 }, (_, at) => ({
      dataID: 'p',
      deviceName: 'd1',
      value: '1',
      timestamp: String(now - day + at * quarter),
    }))
    return { list, total: 0 }
  })
  expect(asked).toEqual([300_000, quarter])
  expect([answer.interval, answer.rows.length]).toEqual([quarter, 96])
})

test('what is exported is exactly what is shown: the same buckets of the zoomed part', () => {
  const window = { from: now - 5_000_000, to: now - 1_000_000 }
  expect(planHistory(shownChoice(choice, 900_000, window), now)).toMatchObject({ ...window, interval: 900_000 })
  expect(planHistory(shownChoice(choice, 0, window), now)).toMatchObject({ ...window, interval: 0 })
})

test('the highest value of a part of the range is what an alarm begins with', () => {
  const line = {
    points: [
      [1, 9],
      [2, 20.123456789],
      [3, null],
      [4, 30],
    ] as [number, number | null][],
  }
  expect(highestIn(line, { from: 1, to: 3 })).toBe(20.1235)
  expect(highestIn(line, { from: 5, to: 9 })).toBeUndefined()
})
