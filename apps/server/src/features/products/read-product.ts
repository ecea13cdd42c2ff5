import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readProduct as endpoint } from '@ithings/contract/features/products.ts'
import { readProductSecret } from '@ithings/contract/features/secrets.ts'
import { open, places } from '#db/sealed.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { countsOf } from './product-counts.ts'
import { imageLink } from './product-image.ts'
import { toProduct } from './product-wire.ts'
import type { ProductsDeps } from './products-deps.ts'
import { requireProduct } from './store.ts'

/** With the secret for whoever may see it, because existing consoles show it; "" for all others. */
export async function readProduct(deps: ProductsDeps, input: BodyOutput<typeof endpoint>, { role }: SignedInUser) {
  const { productID, withSecret } = input
  const row = await requireProduct(deps.db, productID)
  const counts = await countsOf(deps.db, [productID])
  const product = toProduct(row, counts(productID), imageLink(deps, row.product_img))
  if (!withSecret || !(await deps.allows(role, readProductSecret))) return product
  return { ...product, secret: open(deps.db, places.product(productID), row.secret) }
}
