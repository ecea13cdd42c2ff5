import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { Api, apiSortFields, listApis as endpoint } from '@ithings/contract/features/apis.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { kept } from '@ithings/contract/text.ts'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { roleText } from '#features/roles/door.ts'

const columns = {
  id: 'id',
  route: 'route',
  method: 'method',
  group: 'api_group',
  name: 'name',
  businessType: 'business_type',
} as const satisfies Record<(typeof apiSortFields)[number], string>

const keyOf = (api: { route: string; method: number }): string => `${api.method} ${api.route}`

/** Names of the roles that hold each API; role 1 holds all and comes first. */
async function holdersOf(db: Db, routes: string[]): Promise<(api: { route: string; method: number }) => string[]> {
  const admin = await db.selectFrom('role').select('name').where('id', '=', BuiltInRole.admin).executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('role_api')
    .innerJoin('role', 'role.id', 'role_api.role_id')
    .select(['route', 'method', 'role.name', 'role.built_in'])
    .where('role_id', '<>', BuiltInRole.admin)
    .where('route', 'in', routes)
    .orderBy('role_id')
    .execute()
  const holders = new Map<string, string[]>()
  for (const row of rows)
    holders.set(keyOf(row), [...(holders.get(keyOf(row)) ?? []), roleText(row.name, row.built_in)])
  return (api) => [admin.name, ...(holders.get(keyOf(api)) ?? [])]
}

export async function listApis(db: Db, input: BodyOutput<typeof endpoint>) {
  const { route, method, group, name, businessType } = input
  const filtered = db
    .selectFrom('api')
    .where((eb) =>
      asked(eb, { equal: { method, business_type: businessType }, contains: { route, api_group: group, name } }),
    )
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: false },
  })
  if (page.list.length === 0) return { list: [], total: page.total }
  const holders = await holdersOf(
    db,
    page.list.map((row) => row.route),
  )
  const list = page.list.map(
    (row): Api => ({
      id: row.id,
      route: row.route,
      method: row.method,
      group: row.built_in ? kept(row.api_group) : row.api_group,
      name: row.built_in ? kept(row.name) : row.name,
      businessType: row.business_type,
      builtIn: row.built_in,
      roles: holders(row),
      rev: row.rev,
    }),
  )
  return { list, total: page.total }
}
