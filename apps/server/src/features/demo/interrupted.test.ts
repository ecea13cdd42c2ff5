/** Loading and removing the demo when something comes in between: another wish, the end of the server, a crash. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDemo, readDemo } from '@ithings/contract/features/demo.ts'
import { createGroup } from '@ithings/contract/features/groups.ts'
import { readJob } from '@ithings/contract/features/jobs.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { itemsOf, makeMarked, settleWishes } from './items.ts'

let world: World
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ithings-demo-'))
  world = await openWorld({ config: { filesDir: dir, dataDir: dir } })
})
afterAll(async () => {
  await world.close()
  await rm(dir, { recursive: true, force: true })
})

const untilGone = (where: World) =>
  expect.poll(async () => (await where.asAdmin(readDemo)).state, { interval: 200 }).toBe('none')
const untilStep = (where: World, jobID: string, step: number) =>
  expect.poll(async () => (await where.asAdmin(readJob, { jobID })).done, { interval: 20 }).toBeGreaterThanOrEqual(step)

/** Rows of people and of the demo alike. */
async function countMade(where: World): Promise<number> {
  const counts = await Promise.all(
    (['product', 'device', 'device_group', 'scene', 'alarm', 'demo', 'demo_item'] as const).map(async (table) => {
      const { n } = await where.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return n
    }),
  )
  return counts.reduce((sum, n) => sum + n, 0)
}

test('asked for its removal while it comes, the demo goes; nobody is told that it is there or not there', async () => {
  const before = await countMade(world)
  expect(await world.app.demo('load')).toContain('being loaded;')
  const { jobID } = await world.asAdmin(readDemo)
  await untilStep(world, jobID, 3)
  expect(await world.app.demo('load')).toContain('already being loaded')
  expect(await world.app.demo('remove')).toContain('being stopped')
  expect(await world.app.demo('load')).toContain('being removed')
  await untilGone(world)
  expect(await countMade(world)).toBe(before)
  expect(await world.app.demo('remove')).toContain('no demo fleet')
})

test('a loading that the end of its server cut off is not gone on with after the removal was asked for', async () => {
  const before = await countMade(world)
  const first = await openWorld({ databaseUrl: world.url, config: { filesDir: dir } })
  const { jobID } = await first.asAdmin(loadDemo)
  await untilStep(first, jobID, 3)
  await first.close()
  expect(await world.app.demo('remove')).toMatch(/being (stopped|removed)/)
  await untilGone(world)
  expect(await countMade(world)).toBe(before)
})

test('what a crash kept from being marked is found, a namesake of before is not the demo’s', async () => {
  const make = async (groupName: string) => Number((await world.asAdmin(createGroup, { groupName })).groupID)
  const crash = new Error('crash')
  const own = await make('智慧水务')
  const refused = makeMarked(world.db, 'group', '智慧水务', () => make('智慧水务'))
  await expect(refused).rejects.toThrow()
  let made = 0
  const cutOff = makeMarked(world.db, 'group', '能源计量', async () => {
    made = await make('能源计量')
    throw crash
  })
  await expect(cutOff).rejects.toBe(crash)
  await settleWishes(world.db)
  expect(await itemsOf(world.db, 'group')).toEqual([String(made)])
  await world.db.deleteFrom('demo_item').execute()
  await world.db.deleteFrom('device_group').where('group_id', 'in', [own, made]).execute()
})
