import { saveDraft, updateCustom } from '@ithings/contract/features/products/custom.ts'
import { createProduct } from '@ithings/contract/features/products/info.ts'
import { importTsl } from '@ithings/contract/features/products/schema.ts'
import { dayMs, type Loading } from '../demo-kit.ts'
import { coldChain, coldChainCase, coldChainScript } from '../fleet/cold-chain.ts'
import { demoProducts } from '../fleet/products.ts'
import { markItem } from '../items.ts'

/** They have been there for a while when somebody sees them. */
const ageDays = 30

export async function makeProducts({ kit: { db, ask }, user, now }: Loading): Promise<void> {
  for (const { productID, productName, desc, deviceType, netType, dataProto, logDays, tags, model } of demoProducts) {
    // The mark first: a crash in between leaves nothing that nobody knows.
    await markItem(db, 'product', productID)
    const valueDays = 30
    await ask(
      createProduct,
      { productID, productName, desc, deviceType, netType, dataProto, logDays, valueDays, tags, authMode: 2 },
      user,
    )
    await ask(importTsl, { productID, tsl: JSON.stringify(model) }, user)
  }
  const { productID } = coldChain
  const publish = () => ask(updateCustom, { productID, transformScript: coldChainScript }, user)
  // The trial of a script has a second: a machine that has just started with a hundred things to do may need another.
  await publish().catch(publish)
  await ask(saveDraft, { productID, draft: coldChainScript, cases: [coldChainCase] }, user)
  await db
    .updateTable('product')
    .set({ created_at: new Date(now - ageDays * dayMs) })
    .where(
      'product_id',
      'in',
      demoProducts.map((one) => one.productID),
    )
    .execute()
}
