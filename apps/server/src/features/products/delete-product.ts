import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { inWords } from '#db/conflicts.ts'
import { countDevices } from './product-counts.ts'
import { removeImage } from './product-image.ts'
import type { ProductsDeps } from './products-deps.ts'
import { lockProduct } from './store.ts'

const hasDevices = (cause?: unknown) =>
  new AppError(errors.notEmpty, { msg: phrase('该产品下还有设备,不可删除'), ...(cause === undefined ? {} : { cause }) })

/** Model, versions and script go with it by the foreign keys; devices must be gone before (http-api.md 3.2). */
export async function deleteProduct(deps: ProductsDeps, { productID }: { productID: string }): Promise<void> {
  const image = await deps.db.transaction().execute(async (db) => {
    const row = await lockProduct(db, productID)
    if ((await countDevices(db, productID)) > 0) throw hasDevices()
    const packages = await db
      .selectFrom('firmware')
      .select('firmware_id')
      .where('product_id', '=', productID)
      .where('deleted_at', 'is', null)
      .limit(1)
      .execute()
    if (packages.length > 0) throw new AppError(errors.notEmpty, { msg: phrase('该产品下还有固件包,不可删除') })
    // A device may be added after the count.
    await inWords(db.deleteFrom('product').where('product_id', '=', productID).execute(), {
      device_product_id_fkey: hasDevices,
    })
    await db.deleteFrom('device_tally').where('product_id', '=', productID).execute()
    return row.product_img
  })
  await removeImage(deps, image)
  await deps.signal.send('product.changed', { productID })
}
