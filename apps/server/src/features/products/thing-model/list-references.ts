import { kept } from '@ithings/contract/text.ts'
import { countDevices } from '../product-counts.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { requireProduct } from '../store.ts'

/** Asked before a function is deleted or its type changed: what would notice? */
export async function listReferences(
  { db, references }: ProductsDeps,
  { productID, identifiers }: { productID: string; identifiers: string[] },
) {
  const product = await requireProduct(db, productID)
  const devices = await countDevices(db, productID)
  // Devices of the product may send or hold every one of its functions.
  const byDevices = identifiers
    .filter(() => devices > 0)
    .map((identifier) => ({ identifier, kind: kept('设备'), title: product.product_name, count: devices }))
  return { list: [...byDevices, ...(await references.find(db, productID, identifiers))] }
}
