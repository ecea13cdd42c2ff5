/** Everything that has a name but devices: tables so small that one look at each is quick. One query for all of them. */
import { type AlarmLevel, alarmLevelLabels } from '@ithings/contract/features/alarms/config.ts'
import type { SearchHit, SearchKind } from '@ithings/contract/features/search.ts'
import { type TaskType, taskTypeLabels } from '@ithings/contract/features/tasks.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { kept } from '@ithings/contract/text.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'

type NamedKind = Exclude<SearchKind, 'device'>

/** id, product_id, name; `word`: found by it too; `detail`: what tells it from others, before it is put into words. */
const sources: Record<NamedKind, RawBuilder<unknown>> = {
  product: sql`select product_id as id, product_id, product_name as name, product_id as word, product_id as detail
    from product`,
  group: sql`select own.group_id::text as id, '' as product_id, own.group_name as name, '' as word,
      coalesce(parent.group_name, '') as detail
    from device_group own left join device_group parent on parent.group_id = own.parent_id`,
  scene: sql`select id::text, '' as product_id, name, '' as word, trigger_type as detail from scene`,
  alarm: sql`select id::text, '' as product_id, name, '' as word, level::text as detail from alarm`,
  task: sql`select task_id::text as id, product_id, name, '' as word, task_type::text as detail from device_task`,
  firmware: sql`select firmware_id::text as id, product_id, name, version as word, version as detail from firmware
    where deleted_at is null`,
}
export const isNamedKind = (kind: SearchKind): kind is NamedKind => kind in sources

interface Row {
  kind: NamedKind
  id: string
  product_id: string
  product_name: string
  name: string
  detail: string
}

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' · ')

const details: Record<NamedKind, (row: Row) => string> = {
  product: ({ detail }) => detail,
  group: ({ detail }) => (detail === '' ? '' : kept('上级分组 {name}', { name: detail })),
  scene: ({ detail }) => kept(triggerTypeLabels[detail as TriggerType]),
  alarm: ({ detail }) => kept(alarmLevelLabels[Number(detail) as AlarmLevel]),
  task: ({ detail, product_name }) => joined(kept(taskTypeLabels[Number(detail) as TaskType]), product_name),
  firmware: ({ detail, product_name }) => joined(detail, product_name),
}

const toHit = (row: Row): SearchHit => ({
  kind: row.kind,
  id: row.id,
  productID: row.product_id,
  name: row.name,
  detail: details[row.kind](row),
})

/** Exact before prefix before contains; of equals the shortest, as most of it was typed. */
const best = (kind: NamedKind, keyword: string, limit: number) => sql`
  (select ${kind} as kind, source.*, least(
      case when lower(name) = ${keyword} then 0 when starts_with(lower(name), ${keyword}) then 1
        when lower(name) like ${containsPattern(keyword)} then 2 else 3 end,
      case when lower(word) = ${keyword} then 0 when starts_with(lower(word), ${keyword}) then 1 else 3 end) as rank
    from (${sources[kind]}) source
    where lower(name) like ${containsPattern(keyword)} or lower(word) like ${containsPattern(keyword)}
    order by rank, length(name), name, id limit ${limit})`

export async function findNamed(db: Db, kinds: NamedKind[], keyword: string, limit: number): Promise<SearchHit[]> {
  if (kinds.length === 0) return []
  const { rows } = await sql<Row>`
    select found.*, coalesce(product.product_name, '') as product_name
    from (${sql.join(
      kinds.map((kind) => best(kind, keyword, limit)),
      sql` union all `,
    )}) found left join product on product.product_id = found.product_id
    order by found.rank, length(found.name), found.name, found.id`.execute(db)
  return rows.map(toHit)
}
