/**
 * npm run chaos: what each failure of a part does to a cell under load (scaling.md "实际验证过什么"). In `npm test` a few
 * devices and failures: that nothing is lost, doubled or wronged. How long it takes is asked by npm run chaos alone.
 */
import { updateDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutNats } from '../../../apps/server/src/testing/nats-server.ts'
import { findProgram, mayMiss } from '../../../scripts/debian-programs.mjs'
import { type Cell, openCell } from './cell.ts'
import { openDatabase } from './cell-database.ts'
import { commandAcross, doorsElsewhere } from './commands.ts'
import type { Fault } from './fault.ts'
import { faults, readRows } from './faults.ts'
import { beginLife, type Life, type Size } from './life.ts'
import { commandFigures, type Goal, type Line, medianOf, openResults, type Results, reachedBy } from './results.ts'
import { expectDevices, spread } from './spread.ts'
import { beginUpgrade, type Upgrade } from './upgrade.ts'

/** By `npm run chaos`, in whichever size: figures are printed. */
const isRun = process.env.CHAOS !== undefined
const isFull = process.env.CHAOS === 'full'
const asked = process.env.CHAOS_ROWS ?? ''
const rows = readRows(asked)
const size: Size = isFull
  ? { devices: 100, everyMs: 33, commandsEveryMs: 200, markEvery: 1_000 }
  : { devices: 12, everyMs: 200, commandsEveryMs: 800, markEvery: 10 }
/** So that the upgrade goes on through most failures, which take about twelve minutes; alone it need not. */
const upgradesPerMinute = isFull ? (asked ? 60 : 8) : 15
/** Before the first failure, and after each. */
const calmReports = isFull ? 300 : 20
const commandsAcross = isFull ? 500 : 24
/** Little enough to tell what the code takes from what the machine does. */
const lowRateEveryMs = 1_000
/** A device that is still there after this time stays. */
const watchedMs = 60_000
const silentMs = 3_600_000
const goals = { backMs: 15_000, commandMs: 50 }

const without = withoutNats || (findProgram('haproxy') === undefined && mayMiss())

describe.skipIf(without)('a cell whose parts fail one after the other', () => {
  let cell: Cell
  let life: Life
  let upgrade: Upgrade | undefined
  let results: Results

  beforeAll(async () => {
    results = await openResults(isRun)
    cell = await openCell()
    life = await beginLife(cell, size)
  })
  afterAll(async () => {
    results?.print()
    await cell?.close()
  })

  /** Every device reports again, and often. */
  async function calm(): Promise<void> {
    await cell.allReady()
    const before = new Map(life.reporters.map((one) => [one, one.acknowledged.length]))
    for (const [one, count] of before)
      await expect
        .poll(() => one.acknowledged.length, { message: `reports of ${one.name}` })
        .toBeGreaterThan(count + calmReports)
  }

  /** What happens, until all is calm again. */
  async function observe(names: Pick<Line, 'row' | 'what' | 'goalMs'>, happen: () => Promise<string | undefined>) {
    life.commands.take()
    for (const one of life.reporters) one.watch()
    const note = await happen()
    await calm()
    const longestGapMs = Math.max(...life.reporters.map((one) => one.longestGapMs()))
    return results.add({ ...names, longestGapMs, ...commandFigures(life.commands.take()), note })
  }

  /** @param asksSpeed printed in every size, asked for in the full one alone */
  async function judge(goal: Goal, asksSpeed = false): Promise<void> {
    await results.judge(goal)
    if (isFull || !asksSpeed) expect.soft(goal.reached, `${goal.goal}: ${goal.figure}, ${goal.limit}`).toBe(true)
  }

  async function measureAcross(row: string, rate: string): Promise<void> {
    const sent = await commandAcross(cell, life, commandsAcross)
    const figures = commandFigures(sent)
    const note = `median ${medianOf(sent.times)} ms`
    await results.add({ row, what: `commands that go from server to server, ${rate}`, ...figures, note })
    expect(sent.times.length).toBeGreaterThan(0)
    const { p99Ms = Number.NaN } = figures
    const goal = `commands across servers in calm, p99, ${rate}`
    const limit = `<= ${goals.commandMs} ms`
    await judge({ goal, limit, figure: `${p99Ms} ms`, reached: p99Ms <= goals.commandMs }, true)
  }

  test('calm: every device reports', async () => {
    await calm()
    if (rows.has('calm')) await observe({ row: 'calm', what: 'nothing' }, () => calm().then(() => undefined))
  })

  test.runIf(rows.has('calm'))('calm: commands go from server to server', async () => {
    await spread(cell, life.reporters)
    await measureAcross('commands', `${Math.round((size.devices * 1_000) / size.everyMs)} messages/s`)
    if (!isFull) return
    for (const one of life.reporters) one.pace(lowRateEveryMs)
    await measureAcross('commands-low', `${Math.round((size.devices * 1_000) / lowRateEveryMs)} messages/s`)
    for (const one of life.reporters) one.pace(size.everyMs)
  })

  test.runIf(rows.has('upgrade'))('an upgrade of all devices begins', async () => {
    const plan = { reporters: life.reporters, perMinute: upgradesPerMinute }
    const origin = `http://127.0.0.1:${cell.balancer.httpPort}`
    upgrade = await beginUpgrade(origin, life.productID, plan, () => openDatabase(cell))
  })

  const happening = ({ row, inSmall, on = process.platform }: Fault) =>
    rows.has(row) && (isRun || inSmall) && on === process.platform

  test.for(faults.filter(happening))('$name', async ({ row, name, strikes, happen, awayMs = goals.backMs }) => {
    await spread(cell, life.reporters)
    if (strikes !== undefined) await expectDevices(cell, life.reporters, strikes)
    const line = await observe({ row, what: name, goalMs: awayMs }, () => happen({ cell, life }))
    if (isFull) expect(reachedBy(line), `away for ${line.longestGapMs} ms`).toBe(true)
  })

  test.runIf(isRun && rows.has('disabled'))('a device that is disabled while no notice arrives has to go', async () => {
    await spread(cell, life.reporters)
    const [deviceName, [post] = []] = (await doorsElsewhere(cell, life))[0] ?? []
    const one = life.reporters.find(({ name }) => name === deviceName)
    const change = (isEnable: 1 | 2) => post?.(updateDevice.path, { productID: life.productID, deviceName, isEnable })
    // What it says while it is disabled counts for nothing, and nobody compares it.
    one?.pace(silentMs)
    const begun = performance.now()
    cell.nats.hang()
    await change(2)
    const look = () => expect.poll(() => one?.client.connected, { interval: 100, timeout: watchedMs }).toBe(false)
    const gone = await Promise.resolve(look()).then(
      () => true,
      () => false,
    )
    const ms = Math.round(performance.now() - begun)
    cell.nats.goOn()
    await change(1)
    one?.pace(size.everyMs)
    await calm()
    const goal = 'a device that is disabled at another server while NATS hangs has to go'
    const limit = `<= ${goals.backMs} ms`
    const figure = gone ? `${ms} ms` : `stayed for all of ${ms} ms`
    await judge({ goal, limit, figure, reached: gone && ms <= goals.backMs }, true)
  })

  test.runIf(rows.has('upgrade'))('the upgrade has told each device, no more often than it has tried', async () => {
    life.commands.take()
    const upgraded = await upgrade?.end()
    const figures = commandFigures(life.commands.take())
    const note = JSON.stringify(upgraded)
    await results.add({ row: 'upgrade', what: 'the upgrade of all devices through all of this', ...figures, note })
    const { devices } = size
    const figure = upgraded?.succeeded ?? 0
    await judge({ goal: 'devices upgraded', limit: `${devices}`, figure, reached: figure === devices })
    expect(upgraded).toMatchObject({ devices, counted: devices, notTold: 0, tooMany: 0 })
  })

  test('nothing is missing, nothing is there twice, each scene ran once, and nobody was shown as offline', async () => {
    const acknowledged = life.total()
    const found = await life.end()
    const none = (goal: string, count: number, asksSpeed = false) =>
      judge({ goal, limit: '0', figure: count, reached: count === 0 }, asksSpeed)
    await none(`of ${acknowledged} acknowledged messages missing`, found.missing)
    await none('stored twice', found.doubled)
    const limit = `${found.marks}`
    await none(`reports without a run of the scene ${found.withoutRun.join(', ')}`.trim(), found.withoutRun.length)
    await judge({ goal: 'runs of the scene', limit, figure: found.runs, reached: found.runs === found.marks })
    await none('commands of scenes that a device got too often', found.tooMany)
    // What scenes asked for while a device was away is noted as failed.
    expect(found.obeyed).toBeGreaterThan(0)
    // On a machine that others use, writing who is there may take longer than this waits.
    await none('devices shown as offline while connected', life.wronged().length, true)
  })
})
