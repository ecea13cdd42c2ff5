/** What scenes refer to, and the look-ups the other way round: who uses this property, channel or scene? */

import type { DeviceTrigger } from '@ithings/contract/rules/device-trigger.ts'
import type { Condition, DeviceOutput } from '@ithings/contract/rules/scene-parts.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { SceneReferenceTable } from '#db/tables/scenes.ts'

export interface Reference {
  kind: SceneReferenceTable['kind']
  productID: string
  target: string
}

export interface Mentions {
  references: Reference[]
  /** All products, also those of which no function is named. */
  products: Set<string>
}

type Add = (kind: Reference['kind'], productID: string, target: string) => void

function addSelected(add: Add, { productID, selector, selectorValues }: DeviceOutput | DeviceTrigger): void {
  for (const value of selectorValues ?? []) {
    if (selector === 'fixed') add('device', productID, value)
    else if (selector === 'group') add('group', '', value)
  }
}

function addTrigger(add: Add, trigger: DeviceTrigger): void {
  addSelected(add, trigger)
  const [first] = trigger.operationSchema?.dataID ?? []
  if (first === undefined) return
  if (trigger.operator === 'reportProperty' || trigger.operator === 'noReport') {
    add('property', trigger.productID, first)
  } else if (trigger.operator === 'reportEvent') add('event', trigger.productID, first)
}

function addCondition(add: Add, products: Set<string>, condition: Condition): void {
  const { columnType, columnSchema, terms } = condition
  if (columnType === 'property' && columnSchema) {
    const { productID, deviceName, dataID } = columnSchema
    products.add(productID)
    if (dataID[0] !== undefined) add('property', productID, dataID[0])
    if (deviceName !== '') add('device', productID, deviceName)
  }
  for (const one of terms ?? []) addCondition(add, products, one)
}

function addOutput(add: Add, output: DeviceOutput): void {
  addSelected(add, output)
  if (output.type === 'action') add('action', output.productID, output.dataID)
  // The schema has made sure that it is an object.
  else for (const identifier of Object.keys(JSON.parse(output.value))) add('property', output.productID, identifier)
}

export function mentionsOf({ trigger, conditions, actions }: Omit<SceneParts, 'triggerType'>): Mentions {
  const found = new Map<string, Reference>()
  const products = new Set<string>()
  const add: Add = (kind, productID, target) => {
    found.set(JSON.stringify([kind, productID, target]), { kind, productID, target })
  }
  for (const one of trigger.device ?? []) {
    products.add(one.productID)
    addTrigger(add, one)
  }
  for (const one of conditions) addCondition(add, products, one)
  for (const { device, notify, scene } of actions) {
    if (device) {
      products.add(device.productID)
      addOutput(add, device)
    }
    for (const channelID of notify?.channelIDs ?? []) add('channel', '', String(channelID))
    if (scene) add('scene', '', String(scene.sceneID))
  }
  return { references: [...found.values()], products }
}

/** Needs a transaction: what the scene referred to before is gone. */
export async function saveReferences(db: Db, sceneID: number, references: Reference[]): Promise<void> {
  await db.deleteFrom('scene_reference').where('scene_id', '=', sceneID).execute()
  await sql`
    insert into scene_reference (scene_id, kind, product_id, target)
    select ${sceneID}, * from unnest(${references.map((one) => one.kind)}::text[],
      ${references.map((one) => one.productID)}::text[], ${references.map((one) => one.target)}::text[])`.execute(db)
}

async function scenesReferring(db: Db, kind: Reference['kind'], target: string): Promise<string[]> {
  const rows = await db
    .selectFrom('scene_reference')
    .innerJoin('scene', 'scene.id', 'scene_reference.scene_id')
    .select('scene.name')
    .where('kind', '=', kind)
    .where('product_id', '=', '')
    .where('target', '=', target)
    .orderBy('scene.id')
    .limit(100)
    .execute()
  return rows.map((row) => row.name)
}

export const scenesUsingChannel = (db: Db, channelID: number) => scenesReferring(db, 'channel', String(channelID))
export const scenesUsingScene = (db: Db, sceneID: number) => scenesReferring(db, 'scene', String(sceneID))

/** Asked before a property, event or action is deleted or its type changed. */
export async function findSceneReferences(db: Db, productID: string, identifiers: string[]) {
  const rows = await db
    .selectFrom('scene_reference')
    .innerJoin('scene', 'scene.id', 'scene_reference.scene_id')
    .select(['target', 'scene.name'])
    .distinct()
    .where('kind', 'in', ['property', 'event', 'action'])
    .where('product_id', '=', productID)
    .where('target', 'in', identifiers)
    .orderBy('scene.name')
    .limit(1_000)
    .execute()
  return rows.map(({ target, name }) => ({ identifier: target, kind: kept('场景'), title: name, count: 1 }))
}
