/**
 * Issue "Shown by": live firings == backtest firings on the same data. Real devices speak to the real corridor, in
 * order, while a clock that the test moves goes on; then the stored values are replayed.
 */
import { hourMs } from '@ithings/contract/durations.ts'
import * as fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packClosedHours } from '#engines/pg-journal/pack.ts'
import { parseTraceID } from '#ports/journal.ts'
import type { TestDevice } from '#testing/mqtt-device.ts'
import type { SceneFiring } from '../engine/engine-types.ts'
import { openWatchRoom, reports, type WatchRoom, type WatchServer } from '../watch/testing/watch-room.ts'
import { runBacktest } from './run-backtest.ts'
import { partsOfDraft } from './testing/backtest-room.ts'

let room: WatchRoom
let server: WatchServer
let pool: pg.Pool

beforeAll(async () => {
  room = await openWatchRoom()
  server = await room.openServer()
  pool = new pg.Pool({ connectionString: room.url })
})
afterAll(async () => {
  await pool.end()
  await room.close()
})

const keepSeconds = 30

function makeDrafts(productID: string, other: string) {
  const hot = (more: Record<string, unknown> = {}) => reports(productID, 'temp', 'gt', '80', more)
  const level = (deviceName: string) => ({
    columnType: 'property',
    columnSchema: { productID, deviceName, dataID: ['level'], termType: 'gt', values: '50' },
  })
  const keep = { stateKeep: { type: 'duration', value: keepSeconds, unit: 'seconds' } }
  return {
    plain: { trigger: [hot()] },
    once: { trigger: [hot({ once: true })] },
    distant: { trigger: [hot({ minInterval: 60 })] },
    lasting: { trigger: [hot(keep)] },
    repeated: { trigger: [hot({ stateKeep: { type: 'repeating', value: 3, window: 40 } })] },
    ownLevel: { trigger: [hot()], when: [level('')] },
    otherLevel: { trigger: [hot({ once: true })], when: [level(other)] },
    lastingLevel: { trigger: [hot(keep)], when: [level('')] },
    either: { trigger: [reports(productID, 'level', 'lt', '10'), reports(productID, ['place', 'row'], 'eq', '3')] },
    one: { trigger: [hot({ selector: 'fixed', selectorValues: [other], minInterval: 20, ...keep })] },
  }
}

const leastGap = 1_300

async function messageTimes(deviceID: number): Promise<number[]> {
  const { rows } = await pool.query('select at from journal where device_id = $1 and kind = 3 and up order by at', [
    deviceID,
  ])
  return rows.map((row) => Number(row.at))
}

/**
 * When it happened in the time of the data: the message's, or when the state had lasted. A state whose conditions failed
 * then is asked about by a message: it was judged right after one, timers run long after the last.
 */
function momentOf({ cause, traceID, firedAt }: SceneFiring, messages: number[]): number {
  const [kind, , , since] = cause.split(':')
  if (kind !== 'hold') return parseTraceID(traceID)?.at ?? 0
  const last = messages.findLast((at) => at <= firedAt) ?? 0
  return firedAt - last < leastGap ? last : Number(since) + keepSeconds * 1000
}

/** Every state that has lasted by now was asked about. */
async function untilTimersRan(): Promise<void> {
  await expect
    .poll(
      async () => {
        await server.watch.settled()
        const { rows } = await pool.query('select from scene_hold where fired_at is null and due_at <= $1', [
          room.clock.now(),
        ])
        return rows.length
      },
      { interval: 20 },
    )
    .toBe(0)
}

const step = fc.record({
  device: fc.nat({ max: 1 }),
  // Never the very moment at which a state has lasted: which of two at the same millisecond is first says nothing.
  gap: fc.constantFrom(leastGap, 4_700, 11_900, 33_100),
  values: fc.oneof(
    { weight: 4, arbitrary: fc.record({ temp: fc.constantFrom(70, 85, 90) }) },
    { weight: 1, arbitrary: fc.record({ level: fc.constantFrom(5, 60) }) },
    { weight: 1, arbitrary: fc.record({ temp: fc.constantFrom(70, 90), level: fc.constantFrom(5, 60) }) },
    { weight: 1, arbitrary: fc.record({ place: fc.record({ row: fc.constantFrom(2, 3) }) }) },
    // Both triggers of one scene at once.
    { weight: 1, arbitrary: fc.constant({ level: 5, place: { row: 3 } }) },
  ),
})

let token = 0

async function playLive(devices: TestDevice[], steps: Array<{ device: number; gap: number; values: object }>) {
  for (const { device, gap, values } of steps) {
    room.clock.advance(gap)
    await untilTimersRan()
    await devices[device]?.ask('thing/property', { method: 'report', clientToken: `l${++token}`, params: values })
    await server.watch.settled()
  }
  room.clock.advance(keepSeconds * 1000 + 1_000)
  await untilTimersRan()
}

async function replay(draft: Parameters<typeof partsOfDraft>[0], from: number, to: number) {
  const { products, history } = server.line
  const report = await runBacktest(
    { db: room.db, clock: room.clock, products, history },
    { name: '', scene: partsOfDraft(draft), saved: undefined, from, to },
    { signal: new AbortController().signal, progress: async () => {} },
  )
  return report.fired.map(({ timestamp, deviceName }) => `${timestamp} ${deviceName}`)
}

test('live firings are the backtest firings on the same data, hot and packed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 35 }), async (steps) => {
      const productID = await room.makeFullProduct()
      const keys = [await room.makeDevice(productID), await room.makeDevice(productID)]
      const drafts = makeDrafts(productID, keys[1]?.deviceName ?? '')
      const ids = new Map<string, number>()
      for (const [name, draft] of Object.entries(drafts)) ids.set(name, await room.makeScene(draft))
      const devices = await Promise.all(keys.map((key) => server.connect(key)))
      const from = room.clock.now()
      await playLive(devices, steps)
      const to = room.clock.now()
      const messages = new Map<number, number[]>()
      for (const { deviceID } of keys) messages.set(deviceID, await messageTimes(deviceID))
      const live = new Map(
        [...ids].map(([name, id]) => {
          // As the runner does: a cause is one run.
          const runs = new Map(server.firedBy(id).map((one) => [one.cause, one])).values()
          const fired = [...runs].map((one) => {
            const moment = momentOf(one, messages.get(one.device?.deviceID ?? 0) ?? [])
            return `${moment} ${one.device?.deviceName}`
          })
          return [name, fired.sort()]
        }),
      )
      const replayed = async () => {
        const found = new Map<string, string[]>()
        for (const [name, draft] of Object.entries(drafts)) found.set(name, (await replay(draft, from, to)).sort())
        return found
      }
      expect(await replayed()).toEqual(live)
      expect([...live.values()].flat().length).toBeGreaterThan(0)
      room.clock.advance(2 * hourMs)
      await packClosedHours(pool, room.clock.now())
      expect(await replayed()).toEqual(live)
      for (const device of devices) await device.end()
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
