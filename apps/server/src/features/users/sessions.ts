/** Where people are signed in: written at sign-in, seen again in memory, ended by the access cache. */

import { dayMs } from '@ithings/contract/durations.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { NewSignIn, UserSession } from '@ithings/contract/features/sessions.ts'
import { kept, languageOf } from '@ithings/contract/text.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { UserSessionTable } from '#db/tables/users.ts'
import { placeOf, placeText, unknown } from '#features/logs/door.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { RequestContext, SignedInContext } from '#http/request-context.ts'
import { saidMoment } from '#http/said-moment.ts'
import type { Clock } from '#ports/clock.ts'
import { isKnown } from './login-guard.ts'
import { findUser } from './store.ts'
import type { TokenSession } from './token.ts'
import type { UserRow } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

/** No session is alive so long after it was seen (TOKEN_LIFE is at most 30 days). */
const keepDays = 31

type Row = Selectable<UserSessionTable>

const known = (text: string): string => (text === unknown ? '' : text)

const toPlace = (row: Row): NewSignIn => ({
  ipAddr: row.ip_addr,
  location: placeText(row.location),
  browser: known(row.browser),
  os: known(row.os),
  createdTime: toSecondsStr(row.created_at),
})

/** The console tells it to the other sessions; a mail reaches who has none. */
function mailNewPlace(
  { mail, clock }: UsersDeps,
  user: UserRow,
  place: ReturnType<typeof placeOf>,
  { language }: TokenSession,
): void {
  const lines = [
    kept('你的账号 {name} 于 {time} 在新的地点登录。', { name: user.user_name, time: saidMoment(clock.now()) }),
    '',
    kept('地址：{address} {place}', { address: place.ip_addr, place: placeText(place.location) }),
    kept('浏览器：{name}', { name: placeText(place.browser) }),
    kept('操作系统：{name}', { name: placeText(place.os) }),
    '',
    kept('如果不是你本人，请立即修改密码，并在个人中心的“登录设备”中让它下线。'),
  ]
  mail(user.email, kept('账号在新的地点登录'), lines.join('\n'), languageOf(user.language) ?? language)
}

/** @param user as it was before this sign-in; must run before the sign-in is in the login log */
export async function openSession(deps: UsersDeps, user: UserRow, session: TokenSession, ctx: RequestContext) {
  const { db, clock } = deps
  const place = placeOf(ctx.ip, ctx.userAgent)
  const known = await isKnown(db, clock, { userID: user.user_id, ip: ctx.ip, browser: place.browser })
  // There is nothing that the first sign-in of an account could be compared with.
  const isNew = !known && user.last_login_at !== null
  await db
    .insertInto('user_session')
    .values({
      sid: session.sid,
      user_id: user.user_id,
      token_version: user.token_version,
      ...place,
      new_place: isNew,
      created_at: new Date(session.startedAt * 1000),
      seen_at: new Date(clock.now()),
    })
    .execute()
  if (isNew) mailNewPlace(deps, user, place, session)
}

/** Those whose token may still be good. */
const alive = ({ db, clock, tokens }: UsersDeps, userID: number) =>
  db
    .selectFrom('user_session')
    .selectAll('user_session')
    .innerJoin('app_user', (join) =>
      join
        .onRef('app_user.user_id', '=', 'user_session.user_id')
        .onRef('app_user.token_version', '=', 'user_session.token_version'),
    )
    .where('user_session.user_id', '=', userID)
    .where('seen_at', '>', new Date(clock.now() - tokens.lifeSeconds * 1000))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('revoked_session').select('sid').whereRef('revoked_session.sid', '=', 'user_session.sid'),
        ),
      ),
    )
    .orderBy('seen_at', 'desc')

export async function listSessions(deps: UsersDeps, { user }: SignedInContext) {
  await deps.access.writeSeen()
  const rows = await alive(deps, user.userID).execute()
  const list = rows
    .filter((row) => deps.tokens.endOf({ startedAt: row.created_at.getTime() / 1000 }) * 1000 > deps.clock.now())
    .map(
      (row): UserSession => ({
        ...toPlace(row),
        id: row.sid,
        seenTime: toSecondsStr(row.seen_at),
        current: row.sid === user.sid,
        newPlace: row.new_place,
      }),
    )
  return { list, total: list.length }
}

export async function endSession(deps: UsersDeps, { id }: { id: string }, { user }: SignedInContext) {
  await deps.access.writeSeen()
  const row = await alive(deps, user.userID).where('user_session.sid', '=', id).executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '该设备已经下线')
  await deps.access.revokeSession(row.sid)
}

export async function endOtherSessions(deps: UsersDeps, { user }: SignedInContext) {
  await deps.access.writeSeen()
  const rows = await alive(deps, user.userID).where('user_session.sid', '<>', user.sid).execute()
  for (const { sid } of rows) await deps.access.revokeSession(sid)
}

/** All of them, also those that nobody has listed yet. */
export async function endUserSessions(deps: UsersDeps, { userID }: { userID: number }, ctx: SignedInContext) {
  const user = await findUser(deps.db, userID)
  await refuseStrongerRole(deps.db, ctx.user, user.role_id)
  await deps.db
    .updateTable('app_user')
    .set({ token_version: sql`token_version + 1` })
    .where('user_id', '=', userID)
    .execute()
  await deps.signal.send('access.user', { userID })
}

/** Not to the session itself: who came in uninvited must not be the one who is told. */
const untold = ({ user }: SignedInContext) =>
  sql<boolean>`user_id = ${user.userID} and sid <> ${user.sid} and new_place and told_at is null`

export async function newSignIns(db: Db, ctx: SignedInContext): Promise<NewSignIn[]> {
  const rows = await db
    .selectFrom('user_session')
    .selectAll()
    .where(untold(ctx))
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute()
  return rows.map(toPlace)
}

export async function acknowledgeSignIns({ db, clock }: UsersDeps, ctx: SignedInContext) {
  await db
    .updateTable('user_session')
    .set({ told_at: new Date(clock.now()) })
    .where(untold(ctx))
    .execute()
}

export async function dropOldSessions(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('user_session')
    .where('seen_at', '<', new Date(clock.now() - keepDays * dayMs))
    .execute()
}
