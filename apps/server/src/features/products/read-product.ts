import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readProduct as endpoint } from '@ithings/contract/features/products/info.ts'
import { readProductSecret } from '@ithings/contract/features/secrets.ts'
import { open, places } from '#db/sealed.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { countsOf } from './product-counts.ts'
import { imageLink } from './product-image.ts'
import { toProduct } from './product-wire.ts'
import type { ProductsKit } from './products-kit.ts'
import { requireProduct } from './store.ts'

/** With the secret for whoever may see it, because existing consoles show it; "" for all others. */
export async function readProduct(kit: ProductsKit, input: BodyOutput<typeof endpoint>, { role }: SignedInUser) {
  const { productID, withSecret } = input
  const row = await requireProduct(kit.db, productID)
  const counts = await countsOf(kit.db, [productID])
  const product = toProduct(row, counts(productID), imageLink(kit, row.product_img))
  if (!withSecret || !(await kit.allows(role, readProductSecret))) return product
  return { ...product, secret: open(kit.db, places.product(productID), row.secret) }
}
