/** What the hot path knows about products: compiled once, forgotten when the product, its model or script changes. */
import type { Dialect } from '@ithings/contract/device/messages.ts'
import type { Db } from '#db/schema.ts'
import type { ScriptRunner } from '#ports/script-runner.ts'
import type { Signal } from '#ports/signal.ts'
import { type CompiledModel, compileModel } from './compile-model.ts'
import { findScript } from './scripts/store.ts'
import { findProduct } from './store.ts'
import { loadModel } from './thing-model/model-store.ts'

export interface CachedProduct extends CompiledModel {
  productID: string
  productName: string
  deviceType: number
  autoRegister: number
  dialect: Dialect
  logDays: number
  valueDays: number
  /** The published script; '' when the product speaks JSON. */
  script: string
  /** Functions that the script defines, like thingPropertyUp. */
  functions: ReadonlySet<string>
}

export interface ProductCache {
  /** At once when it is remembered, which is the rule. */
  get(productID: string): CachedProduct | undefined | Promise<CachedProduct | undefined>
}

/** More products than this share the room: the oldest are asked for again. */
const mostProducts = 5_000

async function load(db: Db, scripts: ScriptRunner, productID: string): Promise<CachedProduct | undefined> {
  const row = await findProduct(db, productID)
  if (!row) return undefined
  const [model, { script }] = await Promise.all([loadModel(db, productID), findScript(db, productID)])
  const functions = script.trim() === '' ? [] : (await scripts.functionsOf(script)).names
  return {
    ...compileModel(model),
    productID,
    productName: row.product_name,
    deviceType: row.device_type,
    autoRegister: row.auto_register,
    dialect: row.dialect as Dialect,
    logDays: row.log_days,
    valueDays: row.value_days,
    script: script.trim() === '' ? '' : script,
    functions: new Set(functions),
  }
}

export function makeProductCache({
  db,
  scripts,
  signal,
}: {
  db: Db
  scripts: ScriptRunner
  signal: Signal
}): ProductCache {
  const known = new Map<string, CachedProduct | Promise<CachedProduct | undefined>>()
  const forget = (productID: string) => void known.delete(productID)
  signal.on('product.changed', ({ productID }) => forget(productID))
  signal.onGap(() => known.clear())

  const fetch = (productID: string) => {
    const loading = load(db, scripts, productID).then(
      (product) => {
        // A change that came meanwhile has removed the promise: then the next one asks again.
        if (known.get(productID) !== loading) return product
        if (product && signal.connected) known.set(productID, product)
        else forget(productID)
        return product
      },
      (error) => {
        if (known.get(productID) === loading) forget(productID)
        throw error
      },
    )
    for (const oldest of known.keys()) {
      if (known.size < mostProducts) break
      known.delete(oldest)
    }
    known.set(productID, loading)
    return loading
  }

  return { get: (productID) => known.get(productID) ?? fetch(productID) }
}
