import type { BacktestReport } from '@ithings/contract/features/scenes/trial.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { backtestOption, isFloor, valueAt } from './backtest-option.ts'
import { draftOf, type SceneDraft } from './draft.ts'
import { mentionedBy } from './mentioned.ts'
import { kindsFor, latestParams, likelyDevice, watchedEvents, watchedProperties } from './sample.ts'
import { lastDays, rangeProblem, seenText, spanText } from './trial.ts'

const draft: SceneDraft = draftOf({
  name: 'a',
  desc: '',
  status: 1,
  triggerType: 'device',
  trigger: JSON.stringify([
    {
      productID: 'p1',
      selector: 'fixed',
      selectorValues: ['d1', 'd2', 'd3'],
      operator: 'reportProperty',
      operationSchema: { dataID: ['temp'] },
    },
    {
      productID: 'p1',
      selector: 'all',
      operator: 'reportEvent',
      operationSchema: { dataID: ['fault', 'code'], termType: 'eq', values: '1' },
    },
    { productID: 'p2', selector: 'group', selectorValues: ['9'], operator: 'disConnected' },
  ]),
  when: JSON.stringify([
    {
      columnType: 'property',
      columnSchema: { productID: 'p1', deviceName: '', dataID: ['phase', 'ia'], termType: 'gt', values: '1' },
    },
    {
      columnType: 'group',
      terms: [
        {
          columnType: 'property',
          columnSchema: { productID: 'p3', deviceName: 'x', dataID: ['y'], termType: 'gt', values: '1' },
        },
      ],
    },
  ]),
  then: JSON.stringify([
    { executor: 'notify', notify: { channelIDs: [4] } },
    { executor: 'scene', scene: { sceneID: 8 } },
  ]),
})

test('everything a scene mentions is looked up once, devices as far as the sentence names them', () => {
  expect(mentionedBy(draft)).toEqual({
    products: ['p1', 'p2', 'p3'],
    devices: [
      { productID: 'p1', deviceName: 'd1' },
      { productID: 'p1', deviceName: 'd2' },
      { productID: 'p3', deviceName: 'x' },
    ],
    channels: true,
    groups: true,
    scenes: [8],
  })
})

test('a sample is of a device and a kind that the triggers know, with the values that the scene looks at', () => {
  expect(kindsFor(draft, 'p1')).toEqual(['property', 'event'])
  expect(kindsFor(draft, 'p2')).toEqual(['disConnected'])
  expect(likelyDevice(draft, 'p1')).toBe('d1')
  expect(likelyDevice(draft, 'p2')).toBe('')
  expect(watchedProperties(draft, 'p1')).toEqual(['temp', 'phase'])
  expect(watchedEvents(draft, 'p1')).toEqual(['fault'])
})

test('the latest values come as a message would bring them', () => {
  const common = { desc: '', required: false, mode: 'r' as const, isUseShadow: false, isNoRecord: false }
  const model: ThingModel = {
    properties: [
      { ...common, identifier: 'temp', name: '', define: { type: 'float' } },
      { ...common, identifier: 'on', name: '', define: { type: 'bool' } },
      { ...common, identifier: 'never', name: '', define: { type: 'int' } },
    ],
    events: [],
    actions: [],
  }
  const row = (dataID: string, value: string) => ({ dataID, value, timestamp: '1' })
  const latest = [row('temp', '83.6'), row('on', 'true'), row('never', ''), row('other', '1')]
  expect(latestParams(model, latest, ['temp', 'on', 'never', 'gone'])).toEqual({ temp: 83.6, on: true })
})

test('a backtest looks back from now, at most ninety days', () => {
  expect(lastDays(1, 86_400_000)).toEqual({ timeStart: 0, timeEnd: 86_400_000 })
  expect(rangeProblem(2, 1)).toBe('结束时间须晚于开始时间')
  expect(rangeProblem(0, 91 * 86_400_000)).toBe('最多回测 90 天')
  expect(rangeProblem(0, 90 * 86_400_000)).toBeUndefined()
  expect(spanText(0, 7 * 86_400_000)).toBe('7 天')
  expect(spanText(0, 3 * 3_600_000)).toBe('3 小时')
  expect(seenText({ values: { a: '83.6 ℃', b: '', c: '运行中' } })).toBe('83.6 ℃ · 运行中')
})

test('a limit that values fall below shows the lowest of them', () => {
  const points = [10, 20, 30].map((max, timestamp) => ({ timestamp, min: max - 5, max }))
  expect(isFloor(points, [12])).toBe(true)
  expect(isFloor(points, [28])).toBe(false)
  expect(isFloor(points, [12, 28])).toBe(false)
})

test('a ring lies on the line at the nearest moment', () => {
  expect(
    valueAt(
      [
        [0, 1],
        [10, 2],
        [20, 3],
      ],
      12,
    ),
  ).toBe(2)
  expect(valueAt([], 12)).toBeUndefined()
})

const report: BacktestReport = {
  fired: [{ timestamp: 10, deviceName: 'd', values: {} }],
  total: 1,
  devices: 1,
  scanned: 3,
  seconds: 0.1,
  missed: 1,
  missedAt: [{ timestamp: 20, deviceName: 'd', reason: '' }],
  chart: {
    property: 'temp',
    threshold: [2],
    points: [0, 10, 20].map((timestamp) => ({ timestamp, min: 0, max: timestamp / 10 })),
  },
  notes: [],
}
const seriesOf = (given: BacktestReport) =>
  backtestOption({ from: 0, to: 30, report: given, dark: false }).series as { name: string; data: unknown[] }[]

test('the picture has the line, rings for both kinds and a lane; the saved version adds its own', () => {
  expect(seriesOf(report).map(({ name }) => name)).toEqual(['temp', '条件不成立', '触发', '草稿'])
  expect(seriesOf(report).find(({ name }) => name === '触发')?.data).toEqual([[10, 1]])
  const compared = seriesOf({ ...report, saved: { total: 2, times: [5, 6] } })
  expect(compared.at(-1)).toMatchObject({
    name: '已存',
    data: [
      [5, 0],
      [6, 0],
    ],
  })
  expect(compared.find(({ name }) => name === '草稿')?.data).toEqual([[10, 1]])
})
