/** The names that sentences about scenes need, from what was looked up for the whole page. */
import { modelNames, type SceneNames } from '@ithings/contract/rules/scene-names.ts'
import { localZone, zoneOffset } from '@ithings/contract/zone-days.ts'
import type { RuleWorld } from './rule-world.ts'

/** "UTC+8": schedules are meant in the zone of the server. */
export const zoneText = (at: number): string => zoneOffset(localZone(), new Date(at))

export function makeNames(world: RuleWorld, alarms: readonly string[], zone: string): SceneNames {
  const models = new Map<string, ReturnType<typeof modelNames>>()
  const modelOf = (productID: string) => {
    const known = models.get(productID)
    if (known) return known
    const product = world.products.get(productID)
    const names = product && modelNames(product.model)
    if (names) models.set(productID, names)
    return names
  }
  return {
    product: (productID) => world.products.get(productID)?.productName,
    property: (productID, dataID) => modelOf(productID)?.property(dataID),
    event: (productID, dataID) => modelOf(productID)?.event(dataID),
    action: (productID, actionID) => modelOf(productID)?.action(actionID),
    device: (productID, deviceName) => world.device(productID, deviceName)?.alias || undefined,
    group: (groupID) => world.groups.get(Number(groupID)),
    channel: (channelID) => world.channels.get(channelID),
    scene: (sceneID) => world.scenes.get(sceneID),
    alarms,
    zone,
  }
}
