/** Names from thing models alone; devices and groups go by what the scene says. */
import { modelNames, type SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { ModelLookup } from './engine-types.ts'

export function lookupNames(look: ModelLookup): SceneNames {
  const known = new Map<string, ReturnType<typeof modelNames> | undefined>()
  const namesOf = (productID: string) => {
    if (!known.has(productID)) {
      const product = look.product(productID)
      known.set(productID, product && modelNames(product.model))
    }
    return known.get(productID)
  }
  const unknown = () => undefined
  return {
    product: (productID) => look.product(productID)?.productName,
    property: (productID, dataID) => namesOf(productID)?.property(dataID),
    event: (productID, dataID) => namesOf(productID)?.event(dataID),
    action: (productID, actionID) => namesOf(productID)?.action(actionID),
    device: unknown,
    group: unknown,
    channel: unknown,
    scene: unknown,
    alarms: [],
  }
}
