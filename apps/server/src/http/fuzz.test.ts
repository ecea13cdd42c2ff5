/** Nothing that a caller sends is answered with a fault of ours, hangs or stops the app. */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { loadDemo } from '@ithings/contract/features/demo.ts'
import { createGroup } from '@ithings/contract/features/groups.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createRole } from '@ithings/contract/features/roles.ts'
import { createScene } from '@ithings/contract/features/scenes/info.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formWithFile, makeDevice } from '#features/devices/testing/make-devices.ts'
import { uniqueText } from '#testing/people.ts'
import { size } from '#testing/size.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'
import { hostileBody, type Known } from './testing/hostile-body.ts'

let world: World
let known: Known
const crashes: unknown[] = []
const crash = (error: unknown) => void crashes.push(error)

beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', crash)
  world = await openWorld()
  const { productID, deviceName } = await makeDevice(world, await makeFullProduct(world))
  const { groupID } = await world.asAdmin(createGroup, { groupName: 'group' })
  const { id: sceneID } = await world.asAdmin(createScene, { name: 'scene', triggerType: 'manual' })
  const { id: alarmID } = await world.asAdmin(createAlarm, { name: 'alarm', level: 1 })
  const now = Date.now()
  known = {
    ...{
      productID: [productID],
      gateWayProductID: [productID],
      deviceName: [deviceName],
      gateWaydeviceName: [deviceName],
    },
    ...{ groupID: [groupID], parentID: [groupID], alarmID: [alarmID], sceneID: [sceneID] },
    ...{ id: [1, groupID, sceneID, alarmID, 2 ** 31, 2 ** 53 - 1], dataID: ['temp', 'place', 'nothing'] },
    ...{ timeStart: [0, now - 60_000, String(now)], timeEnd: [0, now, 8.64e15, 2 ** 53 - 1] },
  }
})
afterAll(async () => {
  await world.close()
  process.off('uncaughtExceptionMonitor', crash)
})

function send(endpoint: Endpoint, body: string) {
  const token = world.admin
  if (!endpoint.multipart) return world.call(endpoint, body, { token })
  const fields = Object.entries(Object(JSON.parse(body))).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const { headers, payload } = formWithFile(Object.fromEntries(fields), { name: 'x.csv', content: body })
  return world.call(endpoint, payload.toString(), { token, headers })
}

async function sendAnything(endpoint: Endpoint, body: string): Promise<void> {
  const { status, msg } = await send(endpoint, body)
  // It ended its own session.
  if (status === 401) world.admin = await world.signIn(adminName, adminPassword)
  if (status >= 500) throw new Error(`${status} ${msg}`)
}

/** What deletes comes last, so that the others meet something. The demo takes any body and would load its fleet. */
const deletes = ({ businessType }: Endpoint) => Number(businessType === BusinessType.delete)
const inOrder = allEndpoints.filter((one) => one !== loadDemo).toSorted((a, b) => deletes(a) - deletes(b))

test.each(inOrder)('$path refuses or obeys whatever it is sent', async (endpoint) => {
  await fc.assert(
    fc.asyncProperty(hostileBody(endpoint, known), (body) => sendAnything(endpoint, body)),
    { numRuns: size(4, 200), endOnFailure: true },
  )
  expect(crashes).toEqual([])
})

test('the operation log goes on afterwards', async () => {
  const name = uniqueText('after')
  await world.asAdmin(createRole, { name })
  await expect
    .poll(async () => (await world.asAdmin(listOperationLogs, {})).list.some(({ req }) => req.includes(name)))
    .toBe(true)
})
