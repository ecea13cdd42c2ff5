/** The API table follows the contract at every start; what administrators gave or took stays. */
import { type Endpoint, HttpMethod } from '@ithings/contract/endpoint.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { roleSeeds } from './built-in-roles.ts'

const lockKey = 7_201_102
const method = HttpMethod.post

/** Writes what differs and answers the routes that were not there before. */
async function upsert(db: Db, endpoints: Endpoint[]): Promise<Set<string>> {
  if (endpoints.length === 0) return new Set()
  const written = await db
    .insertInto('api')
    .values(
      endpoints.map(({ path, group, name, businessType }) => ({
        route: path,
        method,
        api_group: group,
        name,
        business_type: businessType,
        built_in: true,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['route', 'method'])
        .doUpdateSet((eb) => ({
          api_group: eb.ref('excluded.api_group'),
          name: eb.ref('excluded.name'),
          business_type: eb.ref('excluded.business_type'),
          built_in: true,
          rev: sql<number>`api.rev + 1`,
        }))
        .where(
          sql<boolean>`(api.api_group, api.name, api.business_type, api.built_in)
            is distinct from (excluded.api_group, excluded.name, excluded.business_type, true)`,
        ),
    )
    // A row that this statement inserted has no deleter yet: how PostgreSQL tells it from an updated one.
    .returning(['route', sql<boolean>`xmax = 0`.as('inserted')])
    .execute()
  return new Set(written.filter((row) => row.inserted).map((row) => row.route))
}

async function grantSeeds(db: Db, fresh: Endpoint[]): Promise<void> {
  const grants = roleSeeds.flatMap(({ role, holds }) =>
    fresh.filter(holds).map(({ path }) => ({ role_id: role, route: path, method })),
  )
  if (grants.length === 0) return
  await db
    .insertInto('role_api')
    .values(grants)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function dropVanished(db: Db, endpoints: Endpoint[]): Promise<void> {
  const routes = endpoints.map(({ path }) => path)
  const gone = await db
    .deleteFrom('api')
    .where('built_in', '=', true)
    .where((eb) => eb.not(eb.and([eb('method', '=', method), eb('route', '=', sql<string>`any(${routes}::text[])`)])))
    .returning(['route', 'method'])
    .execute()
  for (const api of gone) {
    await db.deleteFrom('role_api').where('route', '=', api.route).where('method', '=', api.method).execute()
  }
}

export async function syncApis(db: Db, endpoints: readonly Endpoint[]): Promise<void> {
  const checked = endpoints.filter((endpoint) => endpoint.access === 'role')
  await db.transaction().execute(async (db) => {
    // Several servers may start at once on one database.
    await sql`select pg_advisory_xact_lock(${lockKey})`.execute(db)
    const inserted = await upsert(db, checked)
    await grantSeeds(
      db,
      checked.filter(({ path }) => inserted.has(path)),
    )
    await dropVanished(db, checked)
  })
}
