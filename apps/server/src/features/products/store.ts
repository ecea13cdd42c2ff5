import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Selectable } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import type { ProductTable } from '#db/tables/products.ts'

export type ProductRow = Selectable<ProductTable>

const missing = (productID: string) => refusal(errors.notFound, '产品 {productID} 不存在', { productID })

export const findProduct = (db: Db, productID: string): Promise<ProductRow | undefined> =>
  db.selectFrom('product').selectAll().where('product_id', '=', productID).executeTakeFirst()

export async function requireProduct(db: Db, productID: string): Promise<ProductRow> {
  const row = await findProduct(db, productID)
  if (!row) throw missing(productID)
  return row
}

/** One change of a product or its model at a time; devices may still be added meanwhile. */
export async function lockProduct(db: Db, productID: string): Promise<ProductRow> {
  const row = await db
    .selectFrom('product')
    .selectAll()
    .where('product_id', '=', productID)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw missing(productID)
  return row
}

/** errors.md names the texts. */
export const nameConflicts = <T>(work: Promise<T>, given: { productID: string; productName: string }): Promise<T> =>
  inWords(work, {
    product_name_key: (cause) =>
      new AppError(errors.duplicate, {
        msg: phrase('产品名称重复:{productName}', { productName: given.productName }),
        field: 'productName',
        cause,
      }),
    product_pkey: (cause) =>
      new AppError(errors.duplicate, {
        msg: phrase('产品id重复:{productID}', { productID: given.productID }),
        field: 'productID',
        cause,
      }),
  })
