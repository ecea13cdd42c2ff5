/** The demo fleet's configuration as files: against itself it changes nothing, and an empty platform becomes the same. */
import { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { createGroup, listGroups, rootGroupID } from '@ithings/contract/features/groups.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import { applyConfig, type ConfigObject, previewConfig } from '@ithings/contract/features/plans.ts'
import { createRole, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDemoConfiguration } from '#features/demo/testing/load-configuration.ts'
import { openWorld, type World } from '#testing/world.ts'
import { exportAll } from './testing/rebuild.ts'

let full: World
let empty: World
beforeAll(async () => {
  full = await openWorld()
  empty = await openWorld()
})
afterAll(async () => {
  await full.close()
  await empty.close()
})

async function fill(world: World): Promise<void> {
  await loadDemoConfiguration(world)
  const { id } = await world.asAdmin(createChannel, {
    name: '值班',
    type: 'email',
    settings: { to: ['a@example.com'] },
  })
  await world.asAdmin(createAlarm, { name: '备用', level: 4, notify: { channelIDs: [id], slaMinutes: 5 } })
  const role = await world.asAdmin(createRole, { name: '巡检', remark: '看场景' })
  await world.asAdmin(updateRoleApis, { roleID: role.id, list: [{ route: listScenes.path, method: 2 }] })
}

/** Devices and groups are no configuration: those that scenes name are made as on any platform. */
async function copyDevices(from: World, to: World, named: string): Promise<void> {
  const page = { page: 1, size: 1_000 }
  for (const { groupName } of (await from.asAdmin(listGroups, { page })).list)
    await to.asAdmin(createGroup, { groupName, parentID: rootGroupID } as never)
  for (const { productID, deviceName } of (await from.asAdmin(listDevices, { page })).list)
    if (named.includes(`"${deviceName}"`)) await to.asAdmin(createDevice, { productID, deviceName })
}

const ofProducts = ({ kind }: ConfigObject) => ['product', 'model', 'script'].includes(kind)

test('the plan of an export against itself is empty, and applied to an empty platform it makes the same', async () => {
  await fill(full)
  const exported = await exportAll(full)
  expect(new Set(exported.map(({ kind }) => kind))).toEqual(
    new Set(['product', 'model', 'script', 'channel', 'alarm', 'scene', 'role']),
  )
  expect((await full.asAdmin(previewConfig, { objects: exported, prune: true })).changes).toEqual([])

  await empty.asAdmin(applyConfig, { objects: exported.filter(ofProducts) })
  await copyDevices(full, empty, JSON.stringify(exported.filter(({ kind }) => kind === 'scene')))
  const { changes } = await empty.asAdmin(applyConfig, { objects: exported, prune: true })
  expect(changes.filter(({ act }) => act !== 1)).toEqual([])
  expect(await exportAll(empty)).toEqual(exported)
  expect((await empty.asAdmin(previewConfig, { objects: exported, prune: true })).changes).toEqual([])
})
