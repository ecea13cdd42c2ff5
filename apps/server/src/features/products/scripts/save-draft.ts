import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { saveDraft as endpoint } from '@ithings/contract/features/scripts.ts'
import type { Db } from '#db/schema.ts'
import { lockProduct } from '../store.ts'

/** A draft may be as broken as it likes and leaves the rev alone: only publications compete. */
export async function saveDraft(db: Db, { productID, draft, cases }: BodyOutput<typeof endpoint>): Promise<void> {
  const columns = { draft, ...(cases === undefined ? {} : { cases: JSON.stringify(cases) }) }
  await db.transaction().execute(async (db) => {
    await lockProduct(db, productID)
    await db
      .insertInto('product_script')
      .values({ product_id: productID, rev: 0, ...columns })
      .onConflict((conflict) => conflict.column('product_id').doUpdateSet(columns))
      .execute()
  })
}
