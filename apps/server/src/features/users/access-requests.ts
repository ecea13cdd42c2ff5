/** Pages that people ask for; an open request is a row, and the operation log keeps who asked and who dealt with it. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { PlanState } from '@ithings/contract/features/plans.ts'
import { BuiltInRole, EnabledStatus } from '@ithings/contract/features/users.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { menuText } from '#features/menus/door.ts'
import { roleText } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { nickText } from './first-account.ts'
import type { UsersDeps } from './users-deps.ts'

interface Page {
  path: string
}

/** As many as anybody would ask or look through. */
const mostNamed = 10
const mostListed = 200

export async function readAccessHelp({ db }: UsersDeps, { path }: Page, { user }: SignedInContext) {
  const role = await db.selectFrom('role').select(['name', 'built_in']).where('id', '=', user.role).executeTakeFirst()
  const admins = await db
    .selectFrom('app_user')
    .select(['user_name', 'nick_name'])
    .where('role_id', '=', BuiltInRole.admin)
    .where('status', '=', EnabledStatus.enabled)
    .where('nick_name', '<>', '')
    .orderBy('user_id')
    .limit(mostNamed)
    .execute()
  const asked = await db
    .selectFrom('access_request')
    .select('path')
    .where('user_id', '=', user.userID)
    .where('path', '=', path)
    .executeTakeFirst()
  return {
    roleName: role ? roleText(role.name, role.built_in) : '',
    administrators: [...new Set(admins.map(nickText))],
    asked: asked !== undefined,
  }
}

/** Entries of the menu alone, so nobody can leave more rows than there are pages. */
export async function askForAccess({ db, clock }: UsersDeps, { path }: Page, { user }: SignedInContext) {
  const menu = await db.selectFrom('menu').select('id').where('path', '=', path).executeTakeFirst()
  if (!menu) throw refusal(errors.notFound, '菜单中没有这个页面')
  await db
    .insertInto('access_request')
    .values({ user_id: user.userID, path, created_at: new Date(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listAccessRequests({ db }: UsersDeps) {
  const rows = await db
    .selectFrom('access_request')
    .innerJoin('app_user', 'app_user.user_id', 'access_request.user_id')
    .innerJoin('role', 'role.id', 'app_user.role_id')
    .select([
      'access_request.user_id',
      'user_name',
      'nick_name',
      'role_id',
      'role.name as role_name',
      'built_in',
      'path',
    ])
    .select('access_request.created_at')
    .select(sql<string | null>`(select min(menu.name) from menu where menu.path = access_request.path)`.as('menu_name'))
    .orderBy('access_request.created_at', 'desc')
    .limit(mostListed)
    .execute()
  const list = rows.map((row) => ({
    userID: String(row.user_id),
    userName: row.user_name,
    nickName: nickText(row),
    role: row.role_id,
    roleName: roleText(row.role_name, row.built_in),
    path: row.path,
    menuName: menuText(row.menu_name ?? ''),
    createdTime: toSecondsStr(row.created_at),
  }))
  const { plans } = await db
    .selectFrom('config_plan')
    .select(sql<number>`count(*)`.as('plans'))
    .where('state', '=', PlanState.proposed)
    .executeTakeFirstOrThrow()
  return { list, total: list.length, plans }
}

/** Another administrator may have been faster: then there is nothing left to do. */
export async function closeAccessRequest({ db }: UsersDeps, { userID, path }: Page & { userID: number }) {
  await db.deleteFrom('access_request').where('user_id', '=', userID).where('path', '=', path).execute()
}
