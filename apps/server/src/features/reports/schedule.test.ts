/** Two servers on one database: each moment of a schedule comes once, and a missed one is made up for once. */
import { dayMs, hourMs } from '@ithings/contract/durations.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import {
  createReport,
  listReportRuns,
  ReportSchedule,
  ReportState,
  ReportTarget,
  ReportTrigger,
  readReport,
  updateReport,
} from '@ithings/contract/features/reports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

const tokenLifeSeconds = 100 * 86_400
let world: World
let second: World
let productID: string
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given', tokenLifeSeconds } })
  second = await openWorld({ databaseUrl: world.url, config: { databaseUrl: 'given', tokenLifeSeconds } })
  productID = await makeProduct(world)
  await makeDevice(world, productID)
})
afterAll(async () => {
  await second.close()
  await world.close()
})

const create = async (more: object) =>
  (
    await world.asAdmin(createReport, {
      name: uniqueText('报表'),
      schedule: ReportSchedule.cron,
      target: ReportTarget.product,
      productID,
      timeZone: 'UTC',
      ...more,
    })
  ).id
const runs = async (id: number) => (await world.asAdmin(listReportRuns, { id })).list
const nextOf = async (id: number) => (await world.asAdmin(readReport, { id })).nextTime
/** As if the platform had been off since then. */
const setNext = (id: number, at: number) =>
  world.db.updateTable('report').set({ next_at: at }).where('id', '=', id).execute()

test('each moment comes once, whichever server is first, and the period ends with it', async () => {
  const now = world.clock.now()
  const at = Math.ceil(now / 1000) * 1000 + 2_000
  const moment = new Date(at)
  const [second_, minute, hour] = [moment.getUTCSeconds(), moment.getUTCMinutes(), moment.getUTCHours()]
  const ids: number[] = []
  for (let i = 0; i < 4; i += 1) ids.push(await create({ cron: `${second_} ${minute} ${hour} * * *` }))
  // A slow machine may have passed the moment while it made them: then it is that of today all the same.
  for (const id of ids) await setNext(id, at)
  for (const id of ids) await expect.poll(async () => (await runs(id))[0]?.state).toBe(JobStatus.done)
  for (const id of ids) {
    expect(await runs(id)).toMatchObject([{ from: at - dayMs, to: at, userName: 'administrator' }])
    expect(await nextOf(id)).toBe(at + dayMs)
  }
})

test('of moments that passed while the platform was off the newest is made up for, once', async () => {
  const id = await create({ schedule: ReportSchedule.daily, time: '00:00' })
  const next = await nextOf(id)
  const today = next - dayMs
  // Just after midnight the moment of today would be punctual.
  if (world.clock.now() - today < 2 * hourMs) {
    world.clock.advance(2 * hourMs)
    second.clock.advance(2 * hourMs)
  }
  await setNext(id, today - 5 * dayMs)
  await expect.poll(async () => (await runs(id))[0]?.state).toBe(JobStatus.done)
  expect(await runs(id)).toMatchObject([{ trigger: ReportTrigger.late, from: today - dayMs, to: today }])
  expect(await nextOf(id)).toBe(next)
})

test('a report that is switched off does not come, and comes again when it is switched on', async () => {
  const id = await create({ cron: '* * * * * *', isEnable: ReportState.off })
  expect(await nextOf(id)).toBe(0)
  await world.asAdmin(updateReport, { id, isEnable: ReportState.on })
  await expect.poll(async () => (await runs(id)).length).toBeGreaterThan(0)
  await world.asAdmin(updateReport, { id, isEnable: ReportState.off })
  expect(await nextOf(id)).toBe(0)
  expect((await runs(id))[0]).toMatchObject({ trigger: ReportTrigger.timer })
  // None is left that writes its file while the world is taken down.
  await expect.poll(async () => (await runs(id)).every(({ state }) => state === JobStatus.done)).toBe(true)
})
