/** What scenes speak of, looked up once for a whole page of them: whether it is there, and what it is called. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { askedKeys, spellKey } from '#features/devices/door.ts'
import type { CachedProduct, ProductCache } from '#features/products/door.ts'
import type { Mentions, Reference } from './scene-references.ts'

export interface RuleWorld {
  products: ReadonlyMap<string, CachedProduct>
  device(productID: string, deviceName: string): { alias: string } | undefined
  groups: ReadonlyMap<number, string>
  channels: ReadonlyMap<number, string>
  scenes: ReadonlyMap<number, string>
}

interface NameRow {
  kind: 'group' | 'channel' | 'scene'
  id: number
  name: string
}

async function findDevices(db: Db, asked: Reference[]) {
  if (asked.length === 0) return new Map<string, { alias: string }>()
  const { rows } = await sql<{ product_id: string; device_name: string; device_alias: string }>`
    select product_id, device_name, device_alias
    from ${askedKeys(asked.map(({ productID, target }) => ({ productID, deviceName: target })))}
    join device using (product_id, device_name)`.execute(db)
  return new Map(rows.map((row) => [`${row.product_id}/${row.device_name}`, { alias: row.device_alias }]))
}

async function findNames(db: Db, idsOf: (kind: Reference['kind']) => number[]): Promise<NameRow[]> {
  const [groups, channels, scenes] = [idsOf('group'), idsOf('channel'), idsOf('scene')]
  if (groups.length + channels.length + scenes.length === 0) return []
  const { rows } = await sql<NameRow>`
    select 'group' as kind, group_id as id, group_name as name from device_group
      where group_id = any(${groups}::bigint[])
    union all select 'channel', id, name from notify_channel where id = any(${channels}::bigint[])
    union all select 'scene', id, name from scene where id = any(${scenes}::bigint[])`.execute(db)
  return rows
}

const wholeNumber = /^\d{1,15}$/

export async function loadWorld(
  { db, products }: { db: Db; products: ProductCache },
  mentioned: Mentions[],
): Promise<RuleWorld> {
  const all = new Map<string, Reference>()
  const productIDs = new Set<string>()
  for (const { references, products: named } of mentioned) {
    for (const one of references) all.set(JSON.stringify(one), one)
    for (const productID of named) productIDs.add(productID)
  }
  const of = (kind: Reference['kind']) => [...all.values()].filter((one) => one.kind === kind)
  const idsOf = (kind: Reference['kind']) =>
    of(kind).flatMap(({ target }) => (wholeNumber.test(target) ? [Number(target)] : []))
  const [known, devices, names] = await Promise.all([
    Promise.all([...productIDs].map(async (productID) => [productID, await products.get(productID)] as const)),
    findDevices(db, of('device')),
    findNames(db, idsOf),
  ])
  const named = (kind: NameRow['kind']) =>
    new Map(names.filter((row) => row.kind === kind).map((row) => [row.id, row.name]))
  return {
    products: new Map(known.flatMap(([productID, product]) => (product ? [[productID, product]] : []))),
    device: (productID, deviceName) => devices.get(spellKey({ productID, deviceName })),
    groups: named('group'),
    channels: named('channel'),
    scenes: named('scene'),
  }
}
