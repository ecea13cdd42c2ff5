/** What the console asks at start (spec 7): who am I and which menu entries are mine. */
import { menusOfRole } from '#features/menus/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { readSecondFactor } from './second-factor.ts'
import { newSignIns } from './sessions.ts'
import { findUser } from './store.ts'
import { toUserInfo } from './user-wire.ts'
import type { UsersKit } from './users-kit.ts'

export async function readResources(kit: UsersKit, ctx: SignedInContext) {
  const { db } = kit
  const user = await findUser(db, ctx.user.userID)
  const { enabled, required } = await readSecondFactor(kit, ctx)
  return {
    info: toUserInfo(user),
    menu: await menusOfRole(db, user.role_id),
    projects: [],
    newSignIns: await newSignIns(db, ctx),
    mustEnrol: required && !enabled,
    withheld: await kit.access.withheldFrom(user.role_id),
  }
}
