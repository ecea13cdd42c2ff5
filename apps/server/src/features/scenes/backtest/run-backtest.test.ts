import { hourMs } from '@ithings/contract/durations.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reports } from '../watch/testing/watch-room.ts'
import { runBacktest } from './run-backtest.ts'
import { type BacktestRoom, openBacktestRoom, partsOfDraft } from './testing/backtest-room.ts'

let room: BacktestRoom
/** A full hour, some hours ago. */
let start: number

beforeAll(async () => {
  room = await openBacktestRoom()
  start = Math.floor(room.room.clock.now() / hourMs) * hourMs - 5 * hourMs
})
afterAll(() => room.close())
beforeEach(() => room.reset(start))

const second = (n: number) => start + n * 1000
const at = ({ fired }: { fired: Array<{ timestamp: number }> }) => fired.map((one) => (one.timestamp - start) / 1000)
const hot = (more: Record<string, unknown> = {}, value = '80') => reports(room.productID, 'temp', 'gt', value, more)
const condition = (deviceName: string, dataID: string, termType: string, values: string) => ({
  columnType: 'property',
  columnSchema: { productID: room.productID, deviceName, dataID: [dataID], termType, values },
})

async function sayTemps(temps: Array<[number, number]>, device = room.devices[0]) {
  for (const [time, temp] of temps) await room.say(device, second(time), { temp })
}

/** The same before packing, and after it. */
async function bothWays<T>(look: () => Promise<T>): Promise<T> {
  const before = await look()
  await room.pack(start + 3 * hourMs)
  expect(await look()).toEqual(before)
  return before
}
const untimed = <T extends { seconds: number }>({ seconds: _, ...rest }: T) => rest

describe('property triggers', () => {
  test('every firing with time, device and what was seen; the chart and its threshold', async () => {
    const [one, two] = room.devices
    await sayTemps([
      [0, 70],
      [60, 85],
      [120, 82],
      [180, 60],
    ])
    await sayTemps([[90, 95]], two)
    const report = await bothWays(async () => untimed(await room.run({ trigger: [hot()] }, start, second(200))))
    expect(report).toMatchObject({ total: 3, devices: 2, scanned: 5, missed: 0, notes: [] })
    expect(report.fired).toEqual([
      { timestamp: second(60), deviceName: one.deviceName, values: { temp: '85' } },
      { timestamp: second(90), deviceName: two.deviceName, values: { temp: '95' } },
      { timestamp: second(120), deviceName: one.deviceName, values: { temp: '82' } },
    ])
    expect(report.chart.property).toBe('temp')
    expect(report.chart.threshold).toEqual([80])
    const numbers = report.chart.points.flatMap(({ min, max }) => [min, max])
    expect([Math.min(...numbers), Math.max(...numbers), report.chart.points.length]).toEqual([60, 95, 5])
  })

  test('only values inside the range count', async () => {
    await sayTemps([
      [0, 90],
      [60, 90],
      [120, 90],
    ])
    expect(at(await room.run({ trigger: [hot()] }, second(60), second(120)))).toEqual([60])
  })

  test('a state that must last fires at its moment, also after the last report and not beyond the range', async () => {
    await sayTemps([
      [0, 90],
      [20, 70],
      [40, 90],
      [50, 91],
      [200, 70],
      [300, 90],
    ])
    const lasting = { trigger: [hot({ stateKeep: { type: 'duration', value: 30, unit: 'seconds' } })] }
    expect(at(await room.run(lasting, start, second(400)))).toEqual([70, 330])
    expect(at(await room.run(lasting, start, second(330)))).toEqual([70])
  })

  test('two triggers that one message fulfils are one run, and only devices that fire are counted', async () => {
    const [one, two] = room.devices
    await room.say(one, second(10), { temp: 90, level: 5 })
    await room.say(one, second(20), { temp: 90, level: 60 })
    await room.say(one, second(30), { temp: 20, level: 5 })
    await room.say(two, second(40), { temp: 20, level: 60 })
    const trigger = [hot(), reports(room.productID, 'level', 'lt', '10')]
    const report = await room.run({ trigger }, start, second(60), { trigger })
    expect(at(report)).toEqual([10, 20, 30])
    expect(report).toMatchObject({ total: 3, devices: 1, saved: { total: 3 } })
    const never = await room.run({ trigger, when: [condition(two.deviceName, 'level', 'gt', '99')] }, start, second(60))
    expect(never).toMatchObject({ total: 0, devices: 0, missed: 3 })
    const lasting = hot({ stateKeep: { type: 'duration', value: 5, unit: 'seconds' } })
    expect(at(await room.run({ trigger: [hot(), lasting] }, start, second(60)))).toEqual([10, 15, 20])
  })

  test('a changed threshold is compared with the saved one over the same values', async () => {
    await sayTemps(Array.from({ length: 30 }, (_, n) => [n * 10, 70 + n]))
    const report = await room.run({ trigger: [hot({}, '90')] }, start, second(400), { trigger: [hot({}, '80')] })
    expect(report.total).toBe(9)
    expect(report.saved).toMatchObject({ total: 19 })
    expect(report.saved?.times[0]).toBe(second(110))
    expect(report.scanned).toBe(30)
  })

  test('more firings than the list holds are counted', async () => {
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => room.say(room.devices[0], second(n), { temp: 90 })))
    const report = await room.run({ trigger: [hot()] }, start, second(2_000))
    expect([report.total, report.fired.length]).toEqual([1_200, 1_000])
  })
})

describe('conditions', () => {
  test('see other devices as they were, before the range too, and say why they did not hold', async () => {
    const [one, two] = room.devices
    await room.say(two, second(0), { level: 50 })
    await sayTemps([
      [100, 90],
      [300, 90],
    ])
    await room.say(two, second(200), { level: 5 })
    const draft = { trigger: [hot()], when: [condition(two.deviceName, 'level', 'gt', '10')] }
    const report = await bothWays(async () => untimed(await room.run(draft, second(50), second(400))))
    expect(at(report)).toEqual([100])
    expect(report.fired[0]?.values).toEqual({ temp: '90', [`${two.deviceName}.level`]: '50' })
    expect(report.missed).toBe(1)
    expect(report.missedAt).toEqual([
      {
        timestamp: second(300),
        deviceName: one.deviceName,
        reason: `条件不满足：${two.deviceName} 的 液位 > 10（实际 5）`,
      },
    ])
  })

  test('what one message says at once is seen together', async () => {
    await room.say(room.devices[0], second(10), { temp: 90, level: 1 })
    await room.say(room.devices[0], second(20), { temp: 90, level: 60 })
    const draft = { trigger: [hot()], when: [condition('', 'level', 'gt', '50')] }
    const found = await bothWays(async () => at(await room.run(draft, start, second(60))))
    expect(found).toEqual([20])
  })
})

describe('other triggers', () => {
  test('events with a parameter', async () => {
    const [one] = room.devices
    await room.event(one, second(10), 'overheat', { temp: 50, note: '' })
    await room.event(one, second(20), 'overheat', { temp: 99, note: '' })
    const trigger = [
      {
        productID: room.productID,
        operator: 'reportEvent',
        operationSchema: { dataID: ['overheat', 'temp'], termType: 'gt', values: '90' },
      },
    ]
    const found = await bothWays(async () => at(await room.run({ trigger }, start, second(60))))
    expect(found).toEqual([20])
  })

  test('coming and going as the hub log knows it, and that it does not reach back for ever', async () => {
    const [one] = room.devices
    for (const [time, online] of [
      [10, true],
      [20, false],
      [25, true],
      [40, false],
    ] as const) {
      await room.presence(one, second(time), online)
    }
    const away = {
      productID: room.productID,
      operator: 'disConnected',
      operationSchema: { stateKeep: { type: 'duration', value: 10 } },
    }
    const report = await room.run({ trigger: [away] }, start, second(60))
    expect(at(report)).toEqual([50])
    expect(report.notes).toEqual(['上下线按通信日志回放'])
    const long = await room.run({ trigger: [away] }, start - 30 * 24 * hourMs, second(60))
    expect(long.notes).toEqual(['上下线按通信日志回放，日志只保留 7 天，更早的无法回放'])
  })

  test('silence is found in virtual time, once for each', async () => {
    const silent = (dataID: string[]) => [
      {
        productID: room.productID,
        selector: 'fixed',
        selectorValues: [room.devices[0].deviceName],
        operator: 'noReport',
        operationSchema: { minutes: 1, dataID },
      },
    ]
    await room.say(room.devices[0], second(0), { temp: 1 })
    await room.say(room.devices[0], second(50), { level: 1 })
    await room.say(room.devices[0], second(200), { temp: 1 })
    expect(at(await room.run({ trigger: silent(['temp']) }, second(10), second(400)))).toEqual([60, 260])
    expect(at(await room.run({ trigger: silent([]) }, second(10), second(400)))).toEqual([110, 260])
    // It had fallen silent before the range began.
    expect(at(await room.run({ trigger: silent(['temp']) }, second(100), second(190)))).toEqual([])
  })

  test('a silence and an absence whose conditions do not hold are asked about again with each minute', async () => {
    const [one, two] = room.devices
    const fixed = { productID: room.productID, selector: 'fixed', selectorValues: [one.deviceName] }
    const silent = { ...fixed, operator: 'noReport', operationSchema: { minutes: 1, dataID: ['temp'] } }
    const keep = { stateKeep: { type: 'duration', value: 20, unit: 'seconds' } }
    const away = { ...fixed, operator: 'disConnected', operationSchema: keep }
    await room.say(one, second(5), { temp: 1 })
    await room.presence(one, second(5), false)
    await room.say(two, second(130), { level: 60 })
    await room.presence(one, second(250), true)
    await room.presence(one, second(260), false)
    const when = [condition(two.deviceName, 'level', 'gt', '50')]
    const quiet = await room.run({ trigger: [silent], when }, start, second(400))
    expect([at(quiet), quiet.missed]).toEqual([[180], 1])
    const gone = await room.run({ trigger: [away], when }, start, second(400))
    expect([at(gone), gone.missed]).toEqual([[180, 280], 1])
  })

  test('a schedule asks its conditions at each of its moments', async () => {
    await room.say(room.devices[0], second(90), { level: 60 })
    const draft = { cron: '0 * * * * ?', when: [condition(room.devices[0].deviceName, 'level', 'gt', '50')] }
    const report = await room.run(draft, start, second(240))
    expect(at(report)).toEqual([120, 180])
    expect(report).toMatchObject({ devices: 0, missed: 2, chart: { property: '', points: [] } })
  })
})

describe('limits', () => {
  test('more devices than a backtest may have are refused', async () => {
    const crowd = await room.room.makeFullProduct()
    await room.room.db
      .insertInto('device')
      .columns(['product_id', 'device_name', 'secret'])
      .expression((eb) =>
        eb
          .selectFrom(eb.fn<{ n: number }>('generate_series', [eb.lit(1), eb.lit(10_001)]).as('n'))
          .select((e) => [
            e.val(crowd).as('product_id'),
            e.cast<string>(e.ref('n'), 'text').as('device_name'),
            e.val('x').as('secret'),
          ]),
      )
      .execute()
    await expect(room.run({ trigger: [reports(crowd, 'temp')] }, start, second(60))).rejects.toThrow(
      '最多 10000 台设备',
    )
  })

  test('a trigger that refers to something gone is left out and named', async () => {
    await sayTemps([[10, 90]])
    const report = await room.run({ trigger: [hot(), reports(room.productID, 'gone')] }, start, second(60))
    expect(at(report)).toEqual([10])
    expect(report.notes[0]).toMatch(/^未回放：触发 2：.*没有属性 gone$/)
  })

  test('it ends when it is cancelled', async () => {
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => room.say(room.devices[0], second(n), { temp: 90 })))
    const parts = partsOfDraft({ trigger: [hot()] })
    const stop = new AbortController()
    const running = runBacktest(
      room.deps,
      { name: '', scene: parts, saved: undefined, from: start, to: second(4_000) },
      { signal: stop.signal, progress: async () => {} },
    )
    stop.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
  })
})
