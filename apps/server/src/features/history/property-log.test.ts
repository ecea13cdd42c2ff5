import { listDevices, readDevice } from '@ithings/contract/features/devices/info.ts'
import { listEventLog, listLatest, listPropertyLog } from '@ithings/contract/features/history.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HistoryRoom, model, openHistoryRoom, productID } from './testing/history-room.ts'

let room: HistoryRoom
/** A full hour of today, long enough ago to be packed. */
let start: number
const minute = 60_000
const hour = 60 * minute

beforeAll(async () => {
  room = await openHistoryRoom()
  start = Math.floor(room.world.clock.now() / hour) * hour - 3 * hour
})
beforeEach(() => room.reset(start))
afterAll(() => room.close())

const lamp1 = { productID, deviceNames: ['lamp1'] }
const log = (body: object) => room.world.asAdmin(listPropertyLog, { ...lamp1, dataID: 'temp', ...body })
const refusal = async (body: object) => {
  const { status, code, msg } = await room.world.call(
    listPropertyLog,
    { ...lamp1, dataID: 'temp', ...body },
    { token: room.world.admin },
  )
  return { status, code, msg }
}

describe('newest values', () => {
  test('every declared property has a row; without data "" and "0" (http-api.md 4.4)', async () => {
    room.latest.put(room.deviceID('lamp1'), { temp: 21.5, on: true, name: '厅', place: { x: 1 } }, 1_000)
    await room.latest.flush()
    const { list, total } = await room.world.asAdmin(listLatest, { productID, deviceName: 'lamp1', dataIDs: [] })
    expect(total).toBe(5)
    expect(list).toEqual([
      { dataID: 'temp', value: '21.5', timestamp: '1000' },
      { dataID: 'on', value: 'true', timestamp: '1000' },
      { dataID: 'name', value: '厅', timestamp: '1000' },
      { dataID: 'place', value: '{"x":1}', timestamp: '1000' },
      { dataID: 'secretly', value: '', timestamp: '0' },
    ])
  })

  test('only those asked for, unknown ones too; a value of another type than the model has now is hidden', async () => {
    room.latest.put(room.deviceID('lamp2'), { temp: 'warm' }, 1_000)
    await room.latest.flush()
    const { list } = await room.world.asAdmin(listLatest, { productID, deviceName: 'lamp2', dataIDs: ['temp', 'nope'] })
    expect(list).toEqual([
      { dataID: 'temp', value: '', timestamp: '0' },
      { dataID: 'nope', value: '', timestamp: '0' },
    ])
  })

  test('an unknown device is 100009', async () => {
    const { code } = await room.world.call(listLatest, { productID, deviceName: 'x' }, { token: room.world.admin })
    expect(code).toBe(100009)
  })

  test('withProperties of read and index answer them (http-api.md 4.2)', async () => {
    room.latest.put(room.deviceID('lamp3'), { temp: 21.5, on: false }, 1_000)
    await room.latest.flush()
    const all = { temp: { value: '21.5', timestamp: '1000' }, on: { value: 'false', timestamp: '1000' } }
    const key = { productID, deviceName: 'lamp3' }
    const read = (withProperties: string[]) => room.world.asAdmin(readDevice, { ...key, withProperties })
    expect((await read([])).withProperties).toEqual(all)
    expect((await read(['on'])).withProperties).toEqual({ on: all.on })
    const { list } = await room.world.asAdmin(listDevices, { productID, withProperties: ['temp'] })
    expect(Object.fromEntries(list.map((one) => [one.deviceName, one.withProperties]))).toMatchObject({
      lamp3: { temp: all.temp },
      lamp10: {},
    })
    expect(list.find((one) => one.deviceName === 'lamp10')?.withProperties).toEqual({})
  })
})

describe('property log', () => {
  test('values in order with page and total, both ways, from [timeStart, timeEnd)', async () => {
    for (let n = 0; n < 5; n++) await room.report('lamp1', { temp: n }, start + n * minute)
    const values = async (body: object) => {
      const { list, total } = await log(body)
      return [list.map((row) => row.value), total]
    }
    expect(await values({})).toEqual([['0', '1', '2', '3', '4'], 5])
    expect(await values({ order: 1, page: { page: 1, size: 2 } })).toEqual([['4', '3'], 5])
    expect(await values({ page: { page: 3, size: 2 } })).toEqual([['4'], 5])
    // Behind the end there is nothing: whoever reads on until nothing comes has come to the end.
    expect(await values({ page: { page: 4, size: 2 } })).toEqual([[], 5])
    const range = { timeStart: String(start + minute), timeEnd: String(start + 3 * minute) }
    expect(await values(range)).toEqual([['1', '2'], 2])
    await room.pack(room.world.clock.now())
    expect(await values(range)).toEqual([['1', '2'], 2])
    expect(await values({ timeStart: String(start + minute), timeEnd: '0' })).toEqual([['1', '2', '3', '4'], 4])
    expect(await values({ timeStart: '5', timeEnd: '5' })).toEqual([[], 0])
  })

  test('device time counts, not receipt; a repeated one shows once', async () => {
    await room.report('lamp1', { temp: 1 }, start, start - 5_000)
    await room.report('lamp1', { temp: 1 }, start + 1, start - 5_000)
    const { list } = await log({})
    expect(list).toEqual([{ deviceName: 'lamp1', dataID: 'temp', value: '1', timestamp: String(start - 5_000) }])
  })

  test('without names it is about all devices of the product', async () => {
    await room.report('lamp1', { temp: 1 }, start)
    await room.report('lamp2', { temp: 2 }, start + 1)
    for (const deviceNames of [[], null]) {
      const { list } = await log({ deviceNames })
      expect(list.map((row) => [row.deviceName, row.value])).toEqual([
        ['lamp1', '1'],
        ['lamp2', '2'],
      ])
      const { total } = await room.world.asAdmin(listEventLog, { productID, deviceNames })
      expect(total).toBe(0)
    }
  })

  test('several devices and properties in one call, in one order', async () => {
    await room.report('lamp1', { temp: 1, name: 'a' }, start)
    await room.report('lamp10', { temp: 2 }, start)
    const { list } = await room.world.asAdmin(listPropertyLog, {
      productID,
      deviceNames: ['lamp10', 'lamp1'],
      dataIDs: ['temp', 'name'],
    })
    expect(list.map((row) => `${row.deviceName} ${row.dataID} ${row.value}`)).toEqual([
      'lamp10 temp 2',
      'lamp1 temp 1',
      'lamp1 name a',
    ])
  })

  test('buckets carry every function asked for; total is 0 (http-api.md 4.4)', async () => {
    for (const [n, temp] of [1, 3, 5].entries()) await room.report('lamp1', { temp }, start + n * minute)
    const argFuncs = ['avg', 'max', 'count', 'first'] as const
    const { list, total } = await log({ interval: hour, argFuncs, timeZone: 'UTC' })
    expect(total).toBe(0)
    const values = { avg: '3', max: '5', count: '3', first: '1' }
    expect(list).toEqual([{ deviceName: 'lamp1', dataID: 'temp', value: '3', timestamp: String(start), values }])
    expect((await log({ interval: hour, argFunc: 'last' })).list[0]).not.toHaveProperty('values')
  })

  test('empty buckets are filled as asked, newest first too', async () => {
    await room.report('lamp1', { temp: 1 }, start)
    await room.report('lamp1', { temp: 4 }, start + 3 * minute)
    const body = { interval: minute, argFunc: 'avg', timeStart: start, timeEnd: start + 5 * minute }
    const values = async (fill: string) => (await log({ ...body, fill })).list.map((row) => row.value)
    expect(await values('NONE')).toEqual(['1', '4'])
    expect(await values('NULL')).toEqual(['1', '', '', '4', ''])
    expect(await values('VALUE,-1.5')).toEqual(['1', '-1.5', '-1.5', '4', '-1.5'])
    expect(await values('LINEAR')).toEqual(['1', '2', '3', '4', ''])
    expect((await log({ ...body, fill: 'prev', order: 1 })).list.map((row) => row.value)).toEqual([
      '4',
      '4',
      '1',
      '1',
      '1',
    ])
  })

  test('days follow the time zone of the caller', async () => {
    const day = 24 * hour
    const midnight = Math.floor((start - 2 * day) / day) * day - 8 * hour
    await room.report('lamp1', { temp: 1 }, start, midnight - 1)
    await room.report('lamp1', { temp: 2 }, start, midnight)
    const { list } = await log({ interval: day, argFunc: 'count', timeZone: 'Asia/Shanghai' })
    expect(list.map((row) => row.timestamp)).toEqual([String(midnight - day), String(midnight)])
    expect((await log({ interval: day, argFunc: 'count', timeZone: 'UTC' })).list).toHaveLength(1)
  })

  test('a function without an interval looks at the whole range', async () => {
    for (const [n, temp] of [1, 2].entries()) await room.report('lamp1', { temp }, start + n * hour)
    expect((await log({ argFunc: 'sum' })).list).toMatchObject([{ value: '3', timestamp: String(start) }])
  })

  test('booleans average to their share, texts do not', async () => {
    for (const [n, on] of [true, false, true, true].entries()) await room.report('lamp1', { on }, start + n)
    expect((await log({ dataID: 'on', interval: hour, argFunc: 'avg' })).list[0]?.value).toBe('0.75')
    expect((await log({ dataID: 'on', interval: hour, argFunc: 'last' })).list[0]?.value).toBe('true')
    expect(await refusal({ dataID: 'name', interval: hour, argFunc: 'avg' })).toMatchObject({ code: 100006 })
  })

  test('what cannot be answered says why', async () => {
    expect(await refusal({ interval: 1000 })).toMatchObject({ status: 400, code: 100006 })
    expect((await refusal({ dataID: 'nope' })).msg).toContain('nope')
    expect(await refusal({ dataID: '' })).toMatchObject({ code: 100006 })
    expect((await refusal({ timeZone: 'Mars/Base', interval: 1000, argFunc: 'avg' })).msg).toContain('Mars/Base')
    expect(await refusal({ deviceNames: ['nope'] })).toMatchObject({ code: 100009 })
    const tooFine = { interval: 1, argFunc: 'avg', fill: 'PREV', timeStart: start, timeEnd: start + hour }
    expect(await refusal(tooFine)).toMatchObject({ code: 100015 })
  })

  test('a property that keeps no history answers nothing; one whose type changed hides what it was', async () => {
    await room.report('lamp1', { secretly: 1, temp: 2 }, start)
    expect(await log({ dataID: 'secretly' })).toEqual({ list: [], total: 0 })
    await room.pack(room.world.clock.now())
    expect((await log({})).total).toBe(1)
    const properties = model.properties.map((one) =>
      one.identifier === 'temp' ? { ...one, define: { type: 'string', max: '64' } } : one,
    )
    await room.world.asAdmin(importTsl, { productID, tsl: JSON.stringify({ ...model, properties }) })
    expect(await log({})).toEqual({ list: [], total: 0 })
    await room.world.asAdmin(importTsl, { productID, tsl: JSON.stringify(model) })
    expect((await log({})).total).toBe(1)
  })
})

describe('event log', () => {
  const events = (body: object = {}) => room.world.asAdmin(listEventLog, { ...lamp1, ...body })

  test('hot and packed events newest first, repeated ones once (decisions.md 4.2)', async () => {
    await room.event('lamp1', 'overheat', { t: 90 }, { at: start, token: 'a', deviceTime: start - 1 })
    await room.pack(start + hour + 5 * minute)
    await room.event('lamp1', 'overheat', { t: 90 }, { at: start + hour, token: 'a', deviceTime: start - 1 })
    await room.event('lamp1', 'started', {}, { at: start + hour + 1, token: 'b' })
    await room.event('lamp1', 'started', {}, { at: start + hour + 2, token: 'b', repeated: true })
    const wanted = [
      { dataID: 'started', type: 'info', params: '{}', timestamp: String(start + hour + 1), deviceName: 'lamp1' },
      { dataID: 'overheat', type: 'alert', params: '{"t":90}', timestamp: String(start - 1), deviceName: 'lamp1' },
    ]
    expect(await events()).toEqual({ list: wanted, total: 2 })
    await room.pack(room.world.clock.now())
    expect(await events()).toEqual({ list: wanted, total: 2 })
  })

  test('by event, type, range and page', async () => {
    for (let n = 0; n < 4; n++) {
      await room.event('lamp1', n % 2 ? 'started' : 'overheat', { n }, { at: start + n * minute, token: String(n) })
    }
    await room.event('lamp10', 'overheat', {}, { at: start, token: 'other' })
    const numbers = async (body: object) => (await events(body)).list.map((row) => JSON.parse(row.params).n)
    expect(await numbers({ dataID: 'started' })).toEqual([3, 1])
    expect(await numbers({ types: ['alert'] })).toEqual([2, 0])
    expect(await numbers({ types: null, dataID: '' })).toEqual([3, 2, 1, 0])
    expect(await numbers({ timeStart: String(start + minute), timeEnd: String(start + 3 * minute) })).toEqual([2, 1])
    expect(await numbers({ page: { page: 2, size: 3 } })).toEqual([0])
    expect((await events({ deviceNames: ['lamp1', 'lamp10'] })).total).toBe(5)
  })
})
