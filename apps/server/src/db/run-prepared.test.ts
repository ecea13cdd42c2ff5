import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#testing/world.ts'
import { connect } from './connect.ts'
import { runPrepared } from './run-prepared.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a statement that is run like this keeps its plan on its connection, others do not', async () => {
  const { db, close } = connect(world.url, () => undefined, 1)
  const find = (name: string) => sql<{ n: number }>`select length(${name}::text) as n`
  const asked: number[] = []
  for (const name of ['pump', 'valve', 'meter-12'])
    asked.push(...(await runPrepared(db, find(name))).rows.map(({ n }) => n))
  await sql`select upper(${'pump'}::text)`.execute(db)
  const { rows } = await sql<{ statement: string; times: number }>`
    select statement, generic_plans + custom_plans as times from pg_prepared_statements where not from_sql`.execute(db)
  await close()
  expect(asked).toEqual([4, 5, 8])
  expect(rows).toEqual([{ statement: 'select length($1::text) as n', times: 3 }])
})
