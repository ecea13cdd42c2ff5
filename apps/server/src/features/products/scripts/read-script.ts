import type { ProductCustom } from '@ithings/contract/features/scripts.ts'
import type { Db } from '#db/schema.ts'
import { requireProduct } from '../store.ts'
import { findScript } from './store.ts'

export async function readScript(db: Db, { productID }: { productID: string }): Promise<ProductCustom> {
  await requireProduct(db, productID)
  const row = await findScript(db, productID)
  return {
    productID,
    transformScript: row.script,
    scriptLang: row.script_lang,
    customTopic: row.custom_topic,
    draft: row.draft,
    cases: row.cases,
    publishedTime: String(row.published_at ? Math.floor(row.published_at.getTime() / 1000) : 0),
    rev: row.rev,
  }
}
