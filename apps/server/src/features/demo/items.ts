/** What belongs to the demo, by kind (demo_item). */
import { sql } from 'kysely'
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

/** Those that are made by the platform's own calls; of their rows the names and the rising numbers. */
const made = {
  group: { table: 'device_group', id: 'group_id', name: 'group_name' },
  scene: { table: 'scene', id: 'id', name: 'name' },
  alarm: { table: 'alarm', id: 'id', name: 'name' },
} as const
type MadeKind = keyof typeof made

/** `<highest number before>+<name>`: one of that name and a higher number is the demo's. */
const wishPattern = /^(\d+)\+(.*)$/s

/**
 * Such a call commits before its mark can: what is going to be made is noted first, so that a crash in between leaves
 * nothing that nobody knows, and a name that is taken already is not taken for the demo's.
 */
export async function makeMarked(db: Db, kind: MadeKind, name: string, make: () => Promise<number>): Promise<number> {
  const { table, id } = made[kind]
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(${sql.ref(id)}), 0)::bigint as last from ${sql.table(table)}`.execute(db)
  const wish = `${rows[0]?.last ?? 0}+${name}`
  await markItem(db, kind, wish)
  const number = await make()
  await db.transaction().execute(async (db) => {
    await markItem(db, kind, number)
    await dropItem(db, kind, wish)
  })
  return number
}

const dropItem = (db: Db, kind: Kind, id: string) =>
  db.deleteFrom('demo_item').where('kind', '=', kind).where('id', '=', id).execute()

/** After a crash: what was made has its mark then, and what was not is forgotten. */
export async function settleWishes(db: Db): Promise<void> {
  for (const kind of Object.keys(made) as MadeKind[]) {
    const { table, id, name } = made[kind]
    for (const wish of await itemsOf(db, kind)) {
      const [, last, wanted] = wishPattern.exec(wish) ?? []
      if (last === undefined) continue
      await db.transaction().execute(async (db) => {
        const { rows } = await sql<{ number: number }>`
          select ${sql.ref(id)} as number from ${sql.table(table)}
          where ${sql.ref(name)} = ${wanted} and ${sql.ref(id)} > ${last}::bigint`.execute(db)
        for (const { number } of rows) await markItem(db, kind, number)
        await dropItem(db, kind, wish)
      })
    }
  }
}
