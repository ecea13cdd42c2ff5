/** What the built-in roles may and may not, in words of the people who have them. */
import { readFile } from 'node:fs/promises'
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import * as alarms from '@ithings/contract/features/alarms/record.ts'
import * as cluster from '@ithings/contract/features/cluster.ts'
import * as interact from '@ithings/contract/features/commands.ts'
import * as bulk from '@ithings/contract/features/devices/bulk.ts'
import * as devices from '@ithings/contract/features/devices/info.ts'
import * as msg from '@ithings/contract/features/history.ts'
import * as home from '@ithings/contract/features/home.ts'
import * as jobs from '@ithings/contract/features/jobs.ts'
import * as logs from '@ithings/contract/features/logs.ts'
import * as notify from '@ithings/contract/features/notify.ts'
import * as ota from '@ithings/contract/features/ota/firmware.ts'
import * as products from '@ithings/contract/features/products.ts'
import * as config from '@ithings/contract/features/remote-config.ts'
import * as roles from '@ithings/contract/features/roles.ts'
import * as scenes from '@ithings/contract/features/scenes/info.ts'
import * as trial from '@ithings/contract/features/scenes/trial.ts'
import * as scripts from '@ithings/contract/features/scripts.ts'
import * as secrets from '@ithings/contract/features/secrets.ts'
import * as settings from '@ithings/contract/features/settings.ts'
import * as tasks from '@ithings/contract/features/tasks.ts'
import * as users from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const system: Endpoint[] = [
  users.listUsers,
  users.readUser,
  roles.listRoles,
  roles.listRoleApis,
  logs.listLoginLogs,
  logs.listOperationLogs,
  logs.exportOperationLogs,
  settings.readSettings,
  cluster.readCluster,
  cluster.drainServer,
  cluster.restoreServer,
  jobs.listJobs,
]

/** Which of these are answered otherwise than "no right"; an empty body is enough to be told so. */
async function allowed(role: number, endpoints: Endpoint[]): Promise<string[]> {
  const { token } = await makeSignedIn(world, { role })
  const answers = await Promise.all(endpoints.map((one) => world.call(one, {}, { token })))
  return endpoints.filter((_, at) => answers[at]?.code !== 100012).map(({ path }) => path)
}
const checked = allEndpoints.filter(({ access }) => access === 'role')
const heldBy = async (role: number) => {
  const rows = await world.db.selectFrom('role_api').select('route').where('role_id', '=', role).execute()
  return rows.map(({ route }) => route).toSorted()
}
const pathsOf = (endpoints: readonly Endpoint[]) => endpoints.map(({ path }) => path)

test('role 1, admin, may everything', async () => {
  const all = [...system, secrets.readDeviceSecret, secrets.rotateProductSecret, config.readLatestConfig]
  expect(await allowed(1, all)).toEqual(pathsOf(all))
})

test('role 2, supplier, manages products and devices with their secrets, and nothing of the system', async () => {
  const may: Endpoint[] = [
    products.createProduct,
    devices.deleteDevice,
    bulk.multiCreateDevices,
    secrets.readDeviceSecret,
    secrets.readProductSecret,
    secrets.rotateDeviceSecret,
    secrets.rotateProductSecret,
    config.readLatestConfig,
    ota.createFirmware,
    tasks.createTask,
    scenes.createScene,
    notify.createChannel,
  ]
  expect(await allowed(2, may)).toEqual(pathsOf(may))
  expect(await allowed(2, system)).toEqual([])
  const things = checked.filter(({ path }) => !path.startsWith('/api/v1/system/'))
  expect(await heldBy(2)).toEqual(pathsOf(things).toSorted())
})

test('role 3, user, views data and operates devices', async () => {
  const may: Endpoint[] = [
    products.readProduct,
    devices.listDevices,
    devices.readDevice,
    msg.listPropertyLog,
    msg.listHubLog,
    interact.sendProperty,
    interact.sendAction,
    scenes.readScene,
    alarms.listAlarmRecords,
    home.readHomeSummary,
  ]
  expect(await allowed(3, may)).toEqual(pathsOf(may))
})

test('role 3, user, sees no secrets, no people, no logs of the platform, no settings, no jobs, and changes nothing', async () => {
  const mayNot: Endpoint[] = [
    ...system,
    secrets.readDeviceSecret,
    secrets.readProductSecret,
    secrets.rotateDeviceSecret,
    secrets.rotateProductSecret,
    config.listConfigs,
    config.readLatestConfig,
    scripts.readCustom,
    notify.listChannels,
    notify.listDeliveries,
    ota.listFirmware,
    tasks.listTasks,
    trial.dryRunScene,
    devices.updateDevice,
    bulk.exportDevices,
    products.updateProduct,
    scenes.updateScene,
  ]
  expect(await allowed(3, mayNot)).toEqual([])
  const rest = checked.filter(
    ({ path, businessType }) => !path.includes('/interact/') && businessType !== BusinessType.query,
  )
  expect(await allowed(3, rest)).toEqual([])
})

/** What versions before 0021 gave to role 3, as they found it. */
async function giveAsBefore() {
  await sql`delete from role_api where role_id = 3`.execute(world.db)
  await sql`insert into role_api select 3, route, method from api
    where built_in and (business_type = 4 or route like '%/interact/%')`.execute(world.db)
}
async function migrateRights() {
  const text = await readFile(new URL('../../../migrations/0021_secrets.sql', import.meta.url), 'utf8')
  await sql.raw(text.slice(text.indexOf('-- Secrets have a right'))).execute(world.db)
}

test('migration 0021 leaves to role 3 what a new installation gives it, if nobody changed it', async () => {
  const wanted = await heldBy(3)
  await giveAsBefore()
  await migrateRights()
  expect(await heldBy(3)).toEqual(wanted)
})

test.each([
  ['took a right', sql`delete from role_api where role_id = 3 and route like '%/home/map'`],
  ['gave a right', sql`insert into role_api values (3, '/api/v1/things/device/info/update', 2)`],
])('migration 0021 leaves role 3 alone where somebody %s', async (_, change) => {
  await giveAsBefore()
  await change.execute(world.db)
  const chosen = await heldBy(3)
  await migrateRights()
  expect(await heldBy(3)).toEqual(chosen)
})

test('migration 0021 lets roles that make devices or products see their secrets, and no others', async () => {
  const [maker, reader] = [
    await makeRole(world, [devices.createDevice]),
    await makeRole(world, [devices.readDevice, devices.updateDevice, products.readProduct]),
  ]
  const before = await heldBy(reader)
  await migrateRights()
  expect(await heldBy(maker)).toEqual([devices.createDevice.path, secrets.readDeviceSecret.path])
  expect(await heldBy(reader)).toEqual(before)
})
