/** A role sees of the large screen what it may list elsewhere (decisions.md 4.4: no way in by default). */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import {
  homeParts,
  readFirstSteps,
  readHomeAttention,
  readHomeMap,
  readHomeSummary,
  readHomeTrend,
} from '@ithings/contract/features/home.ts'
import { listOtaTasks } from '@ithings/contract/features/ota/task.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addAlarm } from './testing/home-room.ts'
import { refreshMap } from './work/refresh-map.ts'

const screen = [readHomeSummary, readHomeTrend, readHomeMap, readHomeAttention, readFirstSteps]
const china = { box: [70, 0, 140, 60] as [number, number, number, number], zoom: 3 }

let world: World
let productID = ''
beforeAll(async () => {
  world = await openWorld({ config: { databaseUrl: 'given' } })
  productID = await makeProduct(world)
  const key = await makeDevice(world, productID, { deviceName: 'secret-pump' })
  await activate(world, key, true)
  await sql`update device set longitude = 116.4, latitude = 39.9`.execute(world.db)
  await addAlarm(world, { level: 4, ...key })
  await sql`insert into rollout (kind, owner_id, product_id, topic, state, start_at, per_minute, total, created_at)
    values ('ota', 1, ${productID}, 'ota/x', 5, 0, 0, 1, ${world.clock.now()})`.execute(world.db)
  await refreshMap(world.db)
})
afterAll(() => world.close())

/** What somebody sees who has the screen and these. */
async function seenWith(...more: Endpoint[]) {
  const { token } = await makeSignedIn(world, { role: await makeRole(world, [...screen, ...more]) })
  const call = <E extends Endpoint>(endpoint: E, body: unknown) => world.call(endpoint, body as never, { token })
  return {
    summary: (await call(readHomeSummary, {})).data,
    map: await call(readHomeMap, china),
    attention: (await call(readHomeAttention, {})).data,
    upgrades: (await call(readHomeAttention, { kind: 'upgrade' })).code,
    steps: (await call(readFirstSteps, {})).data,
    online: (await call(readHomeTrend, { kind: 'online' })).code,
    alarms: (await call(readHomeTrend, { kind: 'alarm' })).code,
  }
}

test('with the screen alone nothing is told of devices, alarms and runs, and what is missing is named', async () => {
  const seen = await seenWith()
  expect(seen.summary).toMatchObject({
    products: 0,
    byProduct: [],
    totals: { total: 0, online: 0 },
    change: null,
    messages: { perSecond: 0, today: 0 },
    alarms: { open: [0, 0, 0, 0, 0], today: 0, latest: [], top: [] },
    running: { ota: 0, task: 0, config: 0, list: [] },
    hidden: homeParts,
  })
  expect(seen.summary.alarms.days).toHaveLength(7)
  expect([seen.map.code, seen.upgrades, seen.online, seen.alarms]).toEqual([100012, 100012, 100012, 100012])
  expect(seen.attention).toEqual({
    counts: { offline: 0, upgrade: 0, silent: 0, config: 0 },
    hidden: ['offline', 'upgrade', 'silent', 'config'],
    list: [],
  })
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`secret-pump|${productID}`))
})

test('who may list devices sees them and their map without alarms', async () => {
  const seen = await seenWith(listDevices, listProducts)
  expect(seen.summary).toMatchObject({
    totals: { total: 1, online: 1 },
    byProduct: [{ productID, total: 1 }],
    alarms: { open: [0, 0, 0, 0, 0], latest: [] },
    hidden: ['scene', 'alarm', 'ota', 'task', 'config'],
  })
  expect(seen.map.data?.clusters).toMatchObject([{ deviceName: 'secret-pump', level: 0 }])
  expect(seen.attention.hidden).toEqual(['upgrade', 'config'])
  expect([seen.online, seen.alarms]).toEqual([200, 100012])
  expect(seen.steps.deviceName).toBe('secret-pump')
})

test('who may list alarms and upgrades sees those', async () => {
  const seen = await seenWith(listDevices, listAlarmRecords, listOtaTasks)
  expect(seen.summary).toMatchObject({
    alarms: { open: [0, 0, 0, 1, 0], latest: [{ deviceName: 'secret-pump' }] },
    running: { ota: 1 },
  })
  expect(seen.map.data?.clusters).toMatchObject([{ level: 4 }])
  expect([seen.upgrades, seen.alarms]).toEqual([200, 200])
})

test('nothing is left out for an administrator', async () => {
  expect((await world.asAdmin(readHomeSummary)).hidden).toEqual([])
  expect((await world.asAdmin(readHomeAttention)).hidden).toEqual([])
})
