import type { SignedInUser } from '#http/request-context.ts'
import type { ProductsDeps } from '../products-deps.ts'
import { lockProduct } from '../store.ts'
import {
  loadFunctions,
  refuseLosingRequired,
  refuseTooMany,
  type StoredFunction,
  saveFunctions,
} from './model-store.ts'

export interface ProposedChange<T> {
  /** What was done, in words; the title of the new version. */
  title: string
  /** All functions afterwards; undefined: nothing changes. */
  parts: StoredFunction[] | undefined
  answer: T
}

/** The one way in which a model changes: locked, guarded, kept as a version, told to all servers. */
export async function changeModel<T>(
  deps: ProductsDeps,
  productID: string,
  user: SignedInUser,
  propose: (stored: StoredFunction[]) => ProposedChange<T>,
): Promise<T> {
  const { changed, answer } = await deps.db.transaction().execute(async (db) => {
    await lockProduct(db, productID)
    const stored = await loadFunctions(db, productID)
    const { title, parts, answer } = propose(stored)
    if (parts) {
      refuseLosingRequired(stored, parts)
      refuseTooMany(parts.length)
      await saveFunctions(db, parts, { productID, title, userName: user.userName, now: deps.clock.now() })
    }
    return { changed: parts !== undefined, answer }
  })
  if (changed) await deps.signal.send('product.changed', { productID })
  return answer
}
