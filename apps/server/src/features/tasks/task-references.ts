import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** Tasks that are going to use these properties or actions (architecture.md "Look-ups upward"). */
export async function findTaskReferences(db: Db, productID: string, identifiers: string[]) {
  const { rows } = await sql<{ identifier: string; name: string }>`
    select asked.identifier, t.name
    from unnest(${identifiers}::text[]) as asked (identifier)
    join device_task t on t.plan ->> 'actionID' = asked.identifier
      or (t.plan ->> 'data')::jsonb ? asked.identifier
    where t.product_id = ${productID} and t.next_run_at is not null
    order by t.name limit 1000`.execute(db)
  return rows.map(({ identifier, name }) => ({ identifier, kind: kept('设备任务'), title: name, count: 1 }))
}
