/**
 * npm run chaos: what each failure of a part does to a cell under load (scaling.md "实际验证过什么"). In `npm test` a few
 * devices and three failures: that nothing is lost, doubled or wronged. How long it takes is asked by npm run chaos alone.
 */
import { updateDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutNats } from '../../../apps/server/src/testing/nats-server.ts'
import { findProgram, mayMiss } from '../../../scripts/debian-programs.mjs'
import { type Cell, openCell } from './cell.ts'
import { type Fault, faults } from './faults.ts'
import { beginLife, type Life, openDatabase, type Size } from './life.ts'
import { beginUpgrade, type Upgrade } from './upgrade.ts'

const isFull = process.env.CHAOS === 'on'
const size: Size = isFull
  ? { devices: 100, everyMs: 33, commandsEveryMs: 50, markEvery: 1_000 }
  : { devices: 12, everyMs: 200, commandsEveryMs: 200, markEvery: 10 }
/** So that the upgrade goes on through all failures. */
const upgradesPerMinute = isFull ? 12 : 15
/** Before the first failure, and after each. */
const calmReports = isFull ? 300 : 20
const goals = { backMs: 15_000, commandMs: 50 }

interface Line {
  what: string
  longestGapMs: number
  commands: number
  failures: number
  p99Ms: number
}

const percentile99 = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
const without = withoutNats || (findProgram('haproxy') === undefined && mayMiss())

describe.skipIf(without)('a cell whose parts fail one after the other', () => {
  let cell: Cell
  let life: Life
  let upgrade: Upgrade
  const lines: Line[] = []

  beforeAll(async () => {
    cell = await openCell()
    life = await beginLife(cell, size)
  })
  afterAll(() => cell?.close())

  /** Every device reports again, and often. */
  async function calm(): Promise<void> {
    await cell.allReady()
    const before = new Map(life.reporters.map((one) => [one, one.acknowledged.length]))
    for (const [one, count] of before)
      await expect
        .poll(() => one.acknowledged.length, { message: `reports of ${one.name}` })
        .toBeGreaterThan(count + calmReports)
  }

  async function observe(what: string, happen: () => Promise<void>): Promise<Line> {
    life.commands.take()
    for (const one of life.reporters) one.watch()
    await happen()
    await calm()
    const { times, failures } = life.commands.take()
    const longestGapMs = Math.max(...life.reporters.map((one) => one.longestGapMs()))
    const line = { what, longestGapMs, commands: times.length, failures, p99Ms: percentile99(times) }
    lines.push(line)
    return line
  }

  test('calm: every device reports and obeys', async () => {
    await calm()
    const line = await observe('calm', async () => undefined)
    expect(line.commands).toBeGreaterThan(0)
    if (isFull) expect(line.p99Ms).toBeLessThanOrEqual(goals.commandMs)
  })

  test('an upgrade of all devices begins', async () => {
    const plan = { reporters: life.reporters, perMinute: upgradesPerMinute }
    const origin = `http://127.0.0.1:${cell.balancer.httpPort}`
    upgrade = await beginUpgrade(origin, life.productID, plan, () => openDatabase(cell))
  })

  test.each<Fault>(
    faults.filter(({ inSmall, on = process.platform }) => (isFull || inSmall) && on === process.platform),
  )('$name', async ({ name, happen, awayMs = goals.backMs }) => {
    const line = await observe(name, () => happen(cell))
    if (isFull) expect(line.longestGapMs).toBeLessThanOrEqual(awayMs)
  })

  test.runIf(isFull)('a device that is disabled while no notice arrives has to go', async () => {
    const [one] = life.reporters
    const change = (isEnable: 1 | 2) =>
      life.post(updateDevice.path, { productID: life.productID, deviceName: one?.name, isEnable })
    const begun = performance.now()
    cell.nats.hang()
    await change(2)
    await expect.poll(() => one?.client.connected, { interval: 100 }).toBe(false)
    const ms = Math.round(performance.now() - begun)
    cell.nats.goOn()
    await change(1)
    await calm()
    console.log(`the disabled device had to go after ${ms} ms`)
    expect(ms).toBeLessThanOrEqual(goals.backMs)
  })

  test('the upgrade has told each device, no more often than it has tried, and all of them have taken it', async () => {
    const upgraded = await upgrade.end()
    if (isFull) console.log(upgraded)
    const devices = size.devices
    expect(upgraded).toMatchObject({ devices, succeeded: devices, counted: devices, notTold: 0, tooMany: 0 })
  })

  test('nothing is missing, nothing is there twice, each scene ran once, and nobody was shown as offline', async () => {
    const acknowledged = life.total()
    const found = await life.end()
    if (isFull) {
      console.table(
        lines.map((line) => ({ ...line, longestGapMs: Math.round(line.longestGapMs), p99Ms: Math.round(line.p99Ms) })),
      )
      console.log({ acknowledged, ...found, wronged: life.wronged() })
    }
    expect(found).toMatchObject({ missing: 0, doubled: 0, runs: found.marks, tooMany: 0 })
    // What scenes asked for while a device was away is noted as failed.
    expect(found.obeyed).toBeGreaterThan(0)
    // On a machine that others use, writing who is there may take longer than this waits.
    if (isFull) expect(life.wronged()).toEqual([])
  })
})
