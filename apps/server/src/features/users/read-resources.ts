/** What the console asks at start (spec 7): who am I and which menu entries are mine. */
import { menusOfRole } from '#features/menus/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { readSecondFactor } from './second-factor.ts'
import { newSignIns } from './sessions.ts'
import { findUser } from './store.ts'
import { hasSecondFactor, toUserInfo } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

export async function readResources(deps: UsersDeps, ctx: SignedInContext) {
  const { db } = deps
  const user = await findUser(db, ctx.user.userID)
  const { required } = await readSecondFactor(deps, ctx)
  return {
    info: toUserInfo(user),
    menu: await menusOfRole(db, user.role_id),
    projects: [],
    newSignIns: await newSignIns(db, ctx),
    mustEnrol: required && !hasSecondFactor(user) && !ctx.user.vouched,
    language: user.language,
    withheld: await deps.access.withheldFrom(user.role_id),
  }
}
