/** Devices with the labels that their series have, found by what a selector asks. */
import type { Tag } from '@ithings/contract/wire.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Scope } from './metrics.ts'
import type { Matcher } from './promql/matcher.ts'

export interface LabelledDevice {
  deviceID: number
  productID: string
  /** Without those of the product. */
  labels: Map<string, string>
}

interface Row {
  device_id: number
  product_id: string
  device_name: string
  device_alias: string
  tags: Tag[]
  groups: string | null
}

const atOnce = 5_000
const tagStart = 'tag_'

/** Letters and digits of any script stay; everything else becomes `_`. */
const tagLabel = (key: string): string => `${tagStart}${key.replaceAll(/[^\p{L}\p{N}_]/gu, '_')}`

const labelsOf = ({ device_name, device_alias, tags, groups }: Row): Map<string, string> =>
  new Map([
    ['device', device_name],
    ['device_name', device_alias],
    // Several groups are one value, so that a device has one series and sums count it once.
    ['group', groups ?? ''],
    ...tags.map(({ key, value }): [string, string] => [tagLabel(key), value]),
  ])

/** What the database can look for; whether all matchers hold is looked at afterwards. */
function conditionOf({ label, values }: Matcher): RawBuilder<boolean> | undefined {
  if (!values || values.has('')) return undefined
  const list = sql`any(${[...values]}::text[])`
  if (label === 'device') return sql<boolean>`device_name = ${list}`
  if (label === 'device_name') return sql<boolean>`device_alias = ${list}`
  // The names of the groups are parts of the value.
  if (label === 'group') {
    return sql<boolean>`device_id in (select device_id from group_device join device_group using (group_id)
      where exists (select from unnest(${[...values]}::text[]) as asked where strpos(asked, group_name) > 0))`
  }
  const key = label.startsWith(tagStart) ? label.slice(tagStart.length) : ''
  // With `_` the key itself is not known.
  if (key === '' || key.includes('_')) return undefined
  return sql<boolean>`device_id in (select device_id from device_tag where key = ${key} and value = ${list})`
}

/** In portions, by number; each is asked for when the one before has been dealt with. */
export async function* scanDevices(
  db: Db,
  products: string[],
  matchers: Matcher[],
  scope: Scope,
): AsyncGenerator<LabelledDevice[], void> {
  const groups = scope.groups
  const conditions = [
    sql<boolean>`product_id = any(${products}::text[])`,
    ...(groups
      ? [sql<boolean>`device_id in (select device_id from group_device where group_id = any(${groups}::bigint[]))`]
      : []),
    ...matchers.flatMap((one) => conditionOf(one) ?? []),
  ]
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`
      select device_id, product_id, device_name, device_alias, tags,
        (select string_agg(group_name, ',' order by group_id) from group_device join device_group using (group_id)
          where group_device.device_id = device.device_id) as groups
      from device where ${sql.join(conditions, sql` and `)} and device_id > ${after}
      order by device_id limit ${atOnce}`.execute(db)
    yield rows.map((row) => ({ deviceID: row.device_id, productID: row.product_id, labels: labelsOf(row) }))
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) return
    after = last.device_id
  }
}
