/** What tests of plans share. */
import { createAlarm } from '@ithings/contract/features/alarms/config.ts'
import { createOwnKey } from '@ithings/contract/features/api-keys.ts'
import { createDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { createGroup, listGroups, rootGroupID } from '@ithings/contract/features/groups.ts'
import { createChannel } from '@ithings/contract/features/notify.ts'
import { type ConfigObject, exportConfig } from '@ithings/contract/features/plans.ts'
import { createRole, updateRoleApis } from '@ithings/contract/features/roles.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { loadDemoConfiguration } from '#features/demo/testing/load-configuration.ts'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'

export const exportAll = async (world: World): Promise<ConfigObject[]> => (await world.asAdmin(exportConfig, {})).list

/** A key of the administrator, as a header. */
export async function makeKey(world: World, fields: object = {}) {
  const { key } = await world.asAdmin(createOwnKey, { name: uniqueText('脚本'), ...fields } as never)
  return { headers: { authorization: `Bearer ${key}` } }
}

export const find = <T extends { kind: string; name: string }>(list: T[], kind: string, name: string): T => {
  const found = list.find((one) => one.kind === kind && one.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}

/** What the demo fleet is set up with, and what it has none of: objects of all seven kinds. */
export async function fillPlatform(world: World): Promise<void> {
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
export async function copyDevices(from: World, to: World): Promise<void> {
  const named = JSON.stringify((await exportAll(from)).filter(({ kind }) => kind === 'scene'))
  const page = { page: 1, size: 1_000 }
  for (const { groupName } of (await from.asAdmin(listGroups, { page })).list)
    await to.asAdmin(createGroup, { groupName, parentID: rootGroupID } as never)
  for (const { productID, deviceName } of (await from.asAdmin(listDevices, { page })).list)
    if (named.includes(`"${deviceName}"`)) await to.asAdmin(createDevice, { productID, deviceName })
}
