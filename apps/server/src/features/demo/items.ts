/** What belongs to the demo, by kind (demo_item). */
import type { Db } from '#db/schema.ts'
import type { DemoItemTable } from '#db/tables/demo.ts'

type Kind = DemoItemTable['kind']

export async function markItem(db: Db, kind: Kind, id: string | number): Promise<void> {
  await db
    .insertInto('demo_item')
    .values({ kind, id: String(id) })
    .onConflict((on) => on.doNothing())
    .execute()
}

export async function itemsOf(db: Db, kind: Kind): Promise<string[]> {
  const rows = await db.selectFrom('demo_item').select('id').where('kind', '=', kind).execute()
  return rows.map(({ id }) => id)
}
