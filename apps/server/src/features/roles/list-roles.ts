import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listRoles as endpoint, Role, roleSortFields } from '@ithings/contract/features/roles.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { roleText } from './role-words.ts'

const columns = {
  id: 'id',
  name: 'name',
  status: 'status',
  createdTime: 'created_at',
} as const satisfies Record<(typeof roleSortFields)[number], string>

async function menusByRole(db: Db, roleIDs: number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('role_menu')
    .selectAll()
    .where('role_id', 'in', roleIDs)
    .where('role_id', '<>', BuiltInRole.admin)
    .orderBy('menu_id')
    .execute()
  const menus = new Map<number, number[]>()
  for (const row of rows) menus.set(row.role_id, [...(menus.get(row.role_id) ?? []), row.menu_id])
  if (roleIDs.includes(BuiltInRole.admin)) {
    // Role 1 sees all, entries made later included.
    const all = await db.selectFrom('menu').select('id').orderBy('id').execute()
    menus.set(
      BuiltInRole.admin,
      all.map((row) => row.id),
    )
  }
  return menus
}

async function usersByRole(db: Db, roleIDs: number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('app_user')
    .select((eb) => ['role_id', eb.fn.countAll<number>().as('users')])
    .where('role_id', 'in', roleIDs)
    .groupBy('role_id')
    .execute()
  return new Map(rows.map((row) => [row.role_id, row.users]))
}

export async function listRoles(db: Db, input: BodyOutput<typeof endpoint>) {
  const { name, status } = input
  const filtered = db.selectFrom('role').where((eb) => asked(eb, { equal: { status }, contains: { name } }))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: false },
  })
  if (page.list.length === 0) return { list: [], total: page.total }
  const roleIDs = page.list.map((row) => row.id)
  const menus = await menusByRole(db, roleIDs)
  const users = await usersByRole(db, roleIDs)
  const list = page.list.map(
    (row): Role => ({
      id: row.id,
      name: roleText(row.name, row.built_in),
      remark: roleText(row.remark, row.built_in),
      createdTime: toSeconds(row.created_at),
      status: row.status,
      roleMenuID: menus.get(row.id) ?? [],
      builtIn: row.built_in,
      secondFactor: row.second_factor,
      users: users.get(row.id) ?? 0,
      rev: row.rev,
    }),
  )
  return { list, total: page.total }
}
