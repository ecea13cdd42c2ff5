import type { Selectable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { ProductScriptTable } from '#db/tables/products.ts'

export type ScriptRow = Selectable<ProductScriptTable>

/** contract: 1 JavaScript, 2 Lua, 3 Python; 0 stands for "not said". */
export const javaScript = 1

/** Products start without a row. Rev 0, so that the first publication can name what it read. */
const blank = (productID: string): ScriptRow => ({
  product_id: productID,
  script: '',
  script_lang: javaScript,
  custom_topic: [],
  draft: '',
  cases: [],
  published_at: null,
  rev: 0,
})

export async function findScript(db: Db, productID: string): Promise<ScriptRow> {
  const row = await db.selectFrom('product_script').selectAll().where('product_id', '=', productID).executeTakeFirst()
  return row ?? blank(productID)
}
