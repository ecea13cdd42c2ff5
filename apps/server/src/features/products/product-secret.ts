import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readProductSecret as read, rotateProductSecret as rotate } from '@ithings/contract/features/secrets.ts'
import { open, places } from '#db/sealed.ts'
import { oldValidUntil, rotation } from '#db/secrets.ts'
import type { ProductsDeps } from './products-deps.ts'
import { requireProduct } from './store.ts'

export async function readProductSecret({ db, clock }: ProductsDeps, { productID }: BodyOutput<typeof read>) {
  const { secret, old_secret_until: until } = await requireProduct(db, productID)
  return { secret: open(db, places.product(productID), secret), oldValidUntil: oldValidUntil(until, clock.now()) }
}

/** Devices that are registered have secrets of their own and are not concerned. */
export async function rotateProductSecret({ db, clock }: ProductsDeps, input: BodyOutput<typeof rotate>) {
  const { productID, graceSeconds } = input
  const now = clock.now()
  const columns = rotation(db, places.product(productID), graceSeconds, now)
  await requireProduct(db, productID)
  await db.updateTable('product').set(columns).where('product_id', '=', productID).execute()
  return { oldValidUntil: oldValidUntil(columns.old_secret_until, now) }
}
