import { countsOf } from './product-counts.ts'
import { imageLink } from './product-image.ts'
import { toProduct } from './product-wire.ts'
import type { ProductsKit } from './products-kit.ts'
import { requireProduct } from './store.ts'

/** The one answer that carries the secret; existing consoles show it (decisions.md 2 "Secrets"). */
export async function readProduct(kit: ProductsKit, { productID }: { productID: string }) {
  const row = await requireProduct(kit.db, productID)
  const counts = await countsOf(kit.db, [productID])
  return { ...toProduct(row, counts(productID), imageLink(kit, row.product_img)), secret: row.secret }
}
