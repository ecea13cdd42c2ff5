import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateProduct as endpoint } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { removeImage, takeImage } from './product-image.ts'
import { settingColumns } from './product-settings.ts'
import type { ProductsDeps } from './products-deps.ts'
import { lockProduct, nameConflicts } from './store.ts'

/** http-api.md 3.2: empty or absent = unchanged; desc and tags replace; the image moves only when asked. */
export async function updateProduct(deps: ProductsDeps, input: BodyOutput<typeof endpoint>): Promise<void> {
  const { productID, productName, isUpdateProductImg } = input
  let taken = ''
  const work = deps.db.transaction().execute(async (db) => {
    const row = await lockProduct(db, productID)
    refuseStaleEdit(input.rev, row.rev)
    if (isUpdateProductImg) taken = await takeImage(deps, input.productImg)
    await db
      .updateTable('product')
      .set({
        ...settingColumns(input),
        ...(productName === undefined ? {} : { product_name: productName }),
        ...(isUpdateProductImg ? { product_img: taken } : {}),
        rev: sql`rev + 1`,
      })
      .where('product_id', '=', productID)
      .execute()
    return isUpdateProductImg ? row.product_img : ''
  })
  try {
    const replaced = await nameConflicts(work, { productID, productName: productName ?? '' })
    await removeImage(deps, replaced)
  } catch (error) {
    await removeImage(deps, taken)
    throw error
  }
  await deps.signal.send('product.changed', { productID })
}
