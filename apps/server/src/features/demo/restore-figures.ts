import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/**
 * Figures of the large screen as they were before. Those of the demo's own time go too: they count its devices, and a
 * gap says less that is wrong than a fleet that nobody has.
 */
export async function restoreFigures(db: Db): Promise<void> {
  const demo = await db.selectFrom('demo').select('from_at').where('from_at', '>', 0).executeTakeFirst()
  if (!demo) return
  for (const [figures, kept] of [
    ['home_sample', 'demo_sample'],
    ['home_message', 'demo_message'],
  ] as const) {
    await db.deleteFrom(figures).where('at', '>=', demo.from_at).execute()
    await sql`insert into ${sql.table(figures)} select * from ${sql.table(kept)} on conflict do nothing`.execute(db)
    await db.deleteFrom(kept).execute()
  }
  await db.updateTable('demo').set({ from_at: 0 }).execute()
}
