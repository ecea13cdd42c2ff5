/** What a draft mentions by its id, so that its names can be looked up. Pure. */
import { flatConditions, type SceneDraft } from './draft.ts'

export interface Mentioned {
  products: string[]
  devices: { productID: string; deviceName: string }[]
  channels: boolean
  groups: boolean
  scenes: number[]
}

/** The sentence names two devices of a list and counts the others. */
const namedDevices = 2

interface Selection {
  productID: string
  selector: string
  selectorValues?: string[] | null | undefined
}

const chosen = ({ productID, selector, selectorValues }: Selection) =>
  selector === 'fixed'
    ? (selectorValues ?? []).slice(0, namedDevices).map((deviceName) => ({ productID, deviceName }))
    : []

export function mentionedBy({ triggerType, triggers, conditions, actions }: SceneDraft): Mentioned {
  const selections: Selection[] = [
    ...(triggerType === 'device' ? triggers.map(({ part }) => part) : []),
    ...actions.flatMap(({ part }) => part.device ?? []),
  ]
  const columns = flatConditions(conditions).flatMap(({ part }) => part.columnSchema ?? [])
  const devices = [
    ...selections.flatMap(chosen),
    ...columns.flatMap(({ productID, deviceName }) => (deviceName ? [{ productID, deviceName }] : [])),
  ]
  const products = [...selections, ...columns].map(({ productID }) => productID).filter(Boolean)
  const scenes = actions.flatMap(({ part }) => part.scene?.sceneID || [])
  return {
    products: [...new Set(products)].sort(),
    devices: [...new Map(devices.map((one) => [`${one.productID} ${one.deviceName}`, one])).values()],
    channels: actions.some(({ part }) => (part.notify?.channelIDs.length ?? 0) > 0),
    groups: selections.some(({ selector }) => selector === 'group'),
    scenes: [...new Set(scenes)].sort((one, other) => one - other),
  }
}
