import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listLatest as endpoint } from '@ithings/contract/features/history.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { findDevices, findProductModel, hasShape, shapeOfProperty } from './find-devices.ts'
import type { HistoryDeps } from './history-deps.ts'

/** http-api.md 4.4: a row for every property asked for, or declared; without a value: "" and "0". */
export async function listLatest(deps: HistoryDeps, { productID, deviceName, dataIDs }: BodyOutput<typeof endpoint>) {
  const product = await findProductModel(deps, productID)
  const [device] = await findDevices(deps, productID, [deviceName])
  const latest = device ? await deps.latest.read(device.deviceID) : {}
  const wanted = dataIDs?.length ? [...new Set(dataIDs)] : [...product.properties.keys()]
  const list = wanted.map((dataID) => {
    const declared = product.properties.get(dataID)?.property
    const known = Object.hasOwn(latest, dataID) ? latest[dataID] : undefined
    // decisions.md 2 "type change": what was said under another type is hidden.
    return declared && known && hasShape(known.value, shapeOfProperty(declared))
      ? { dataID, value: valueText(known.value), timestamp: toStr(known.time) }
      : { dataID, value: '', timestamp: '0' }
  })
  return { list, total: list.length }
}
