import { dayMs } from '@ithings/contract/durations.ts'
import { AppError } from '@ithings/contract/errors.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { saveDraft, updateCustom } from '@ithings/contract/features/scripts.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import type { Loading } from '../demo-deps.ts'
import { coldChain, coldChainCase, coldChainScript } from '../fleet/cold-chain.ts'
import { demoProducts } from '../fleet/products.ts'
import { markItem } from '../items.ts'
import { inWords } from '../words.ts'

/** They have been there for a while when somebody sees them. */
const ageDays = 30

/** The trial of a script has four seconds: a machine that has just started with a hundred things to do needs more. */
const trials = 5

/** Without the script the trackers cannot be read, all else works: no reason to do without the whole demo. */
async function publishScript({ deps: { ask, log }, user }: Loading, transformScript: string): Promise<void> {
  const { productID } = coldChain
  for (let trial = 1; trial <= trials; trial++) {
    try {
      return void (await ask(updateCustom, { productID, transformScript }, user))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ err: error, trial, trials, productID }, 'the script of the demo could not be tried out')
    }
  }
  log.error({ productID }, 'the demo goes on without this script: publish its draft in the console')
}

export async function makeProducts(loading: Loading): Promise<void> {
  const { deps, user, now, t } = loading
  const { db, ask } = deps
  for (const product of demoProducts) {
    const { productID, deviceType, netType, dataProto, logDays } = product
    const { productName, desc, tags, model } = inWords(product, t)
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
  const script = coldChainScript(t)
  await publishScript(loading, script)
  await ask(saveDraft, { productID, draft: script, cases: [inWords(coldChainCase, t)] }, user)
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
