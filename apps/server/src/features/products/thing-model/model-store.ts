/** The stored thing model: one row a function, the whole as a version after every change. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { FunctionTag, functionsOf, type ModelFunction } from '@ithings/contract/thing-model/affordance.ts'
import { maxFunctions } from '@ithings/contract/thing-model/limits.ts'
import {
  type Action,
  FunctionType,
  type ModelEvent,
  type Property,
  type ThingModel,
} from '@ithings/contract/thing-model/model.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export type StoredFunction = ModelFunction & { tag: FunctionTag }

export const keptVersions = 100

interface FunctionRow {
  type: number
  tag: number
  definition: Property | ModelEvent | Action
}

export const toFunction = (row: FunctionRow): StoredFunction =>
  ({ type: row.type, tag: row.tag, value: row.definition }) as StoredFunction

/** In the order in which they are shown. */
export async function loadFunctions(db: Db, productID: string): Promise<StoredFunction[]> {
  const rows = await db
    .selectFrom('product_function')
    .select(['type', 'tag', 'definition'])
    .where('product_id', '=', productID)
    .orderBy('position')
    .execute()
  return rows.map(toFunction)
}

export function modelOf(parts: readonly ModelFunction[]): ThingModel {
  const model: ThingModel = { properties: [], events: [], actions: [] }
  for (const part of parts) {
    if (part.type === FunctionType.property) model.properties.push(part.value)
    else if (part.type === FunctionType.event) model.events.push(part.value)
    else model.actions.push(part.value)
  }
  return model
}

/** The model as devices are measured by it; of an unknown product: empty. */
export const loadModel = async (db: Db, productID: string): Promise<ThingModel> =>
  modelOf(await loadFunctions(db, productID))

/** A whole document keeps the marks of the functions that it keeps; new ones are custom (thing-model.md 3). */
export function withTags(model: ThingModel, stored: readonly StoredFunction[]): StoredFunction[] {
  const tags = new Map(stored.map((part) => [part.value.identifier, part.tag]))
  return functionsOf(model).map((part) => ({ ...part, tag: tags.get(part.value.identifier) ?? FunctionTag.custom }))
}

/** tag 3 "required": cannot be deleted, by whatever way (thing-model.md 3). */
export function refuseLosingRequired(before: readonly StoredFunction[], after: readonly ModelFunction[]): void {
  const kept = new Set(after.map((part) => part.value.identifier))
  const lost = before.filter((part) => part.tag === FunctionTag.required && !kept.has(part.value.identifier))
  if (lost.length > 0) {
    const identifiers = lost.map((part) => part.value.identifier)
    throw refusal(errors.parameter, '必选功能不能删除:{identifiers}', { identifiers })
  }
}

export function refuseTooMany(count: number): void {
  if (count > maxFunctions) {
    throw refusal(errors.parameter, '一个产品最多 {most} 个功能，收到 {count} 个', { most: maxFunctions, count })
  }
}

export interface ModelChange {
  productID: string
  title: string
  userName: string
  now: number
}

/** Writes the functions in their order and keeps the result as a version. Needs lockProduct. */
export async function saveFunctions(db: Db, parts: readonly StoredFunction[], change: ModelChange): Promise<void> {
  const { productID } = change
  await db.deleteFrom('product_function').where('product_id', '=', productID).execute()
  if (parts.length > 0) {
    await db
      .insertInto('product_function')
      .values(
        parts.map((part, index) => ({
          product_id: productID,
          identifier: part.value.identifier,
          type: part.type,
          tag: part.tag,
          position: index + 1,
          definition: JSON.stringify(part.value),
        })),
      )
      .execute()
  }
  await keepVersion(db, modelOf(parts), change)
}

async function keepVersion(db: Db, model: ThingModel, change: ModelChange): Promise<void> {
  const { productID, title, userName, now } = change
  const { version } = await db
    .insertInto('product_model_version')
    .values({
      product_id: productID,
      version: sql<number>`(select coalesce(max(version), 0) + 1 from product_model_version where product_id = ${productID})`,
      title,
      user_name: userName,
      model: JSON.stringify(model),
      created_at: new Date(now),
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  await db
    .deleteFrom('product_model_version')
    .where('product_id', '=', productID)
    .where('version', '<=', version - keptVersions)
    .execute()
}
