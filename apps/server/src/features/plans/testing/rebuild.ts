/** What tests of plans share. */
import { createOwnKey } from '@ithings/contract/features/api-keys.ts'
import { type ConfigObject, exportConfig } from '@ithings/contract/features/plans.ts'
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
