/** The second factor of an account: enrolment, its codes, and the way out when the app is lost. */

import { createHash, randomBytes } from 'node:crypto'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import * as contract from '@ithings/contract/features/second-factor.ts'
import { phrase } from '@ithings/contract/text.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { openBytes, places, sealBytes } from '#db/sealed.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import type { Clock } from '#ports/clock.ts'
import { guarded } from './login-guard.ts'
import { refuseWrongPasskey } from './passkey-check.ts'
import { refuseWrongPassword } from './password.ts'
import { endOtherSessions } from './sessions.ts'
import { findUser } from './store.ts'
import { toWireToken } from './token.ts'
import { stepOfCode, toBase32 } from './totp.ts'
import { toSubject, type UserRow } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

const secretBytes = 20
/** 120 bits: random enough that a plain hash is no help in guessing one (ASVS 6.5.2 asks for 112). */
const recoveryBytes = 15

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')
/** As people type them: blanks, dashes and the case of letters mean nothing. */
const plainCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

/** As they are kept, and as they are shown once. */
export function makeRecoveryCodes() {
  const codes = Array.from({ length: contract.recoveryCodeCount }, () => toBase32(randomBytes(recoveryBytes)))
  return { kept: codes.map(hashOf), shown: codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')) }
}

const wrongCode = () => new AppError(errors.secondFactorWrong, { field: 'secondCode' })

/** Is it what the app shows, and was it not used before? Spent by the statement that looks at it, whichever server asks. */
async function spendAppCode(db: Db, clock: Clock, user: UserRow, code: string): Promise<boolean> {
  if (!user.totp_secret) return false
  const step = stepOfCode(openBytes(db, places.totp(user.user_id), user.totp_secret), code, clock.now())
  if (step === undefined) return false
  const own = db.updateTable('app_user').where('user_id', '=', user.user_id)
  const { numUpdatedRows } = await own.set({ totp_step: step }).where('totp_step', '<', step).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** In the same way. */
async function spendRecoveryCode(db: Db, user: UserRow, code: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('app_user')
    .where('user_id', '=', user.user_id)
    .set({ recovery_codes: sql`array_remove(recovery_codes, ${hashOf(code)})` })
    .where(sql<boolean>`${hashOf(code)} = any(recovery_codes)`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** An app that was never confirmed does not count. */
export async function refuseWrongCode(db: Db, clock: Clock, user: UserRow, given: string): Promise<void> {
  const code = plainCode(given)
  if (user.totp_at && (await spendAppCode(db, clock, user, code))) return
  if (!(await spendRecoveryCode(db, user, code))) throw wrongCode()
}

export async function freshToken({ db, clock, tokens }: UsersDeps, user: UserRow, ctx: SignedInContext) {
  const { sid, language } = ctx.user
  const { created_at } = await db
    .selectFrom('user_session')
    .select('created_at')
    .where('sid', '=', sid)
    .executeTakeFirstOrThrow()
  const startedAt = Math.floor(created_at.getTime() / 1000)
  const factorAt = Math.floor(clock.now() / 1000)
  return toWireToken(await tokens.issue(toSubject(user), { sid, startedAt, factorAt, language }))
}

export async function readSecondFactor({ db }: UsersDeps, ctx: SignedInContext) {
  const user = await findUser(db, ctx.user.userID)
  const role = await db
    .selectFrom('role')
    .select('second_factor')
    .where('id', '=', user.role_id)
    .executeTakeFirstOrThrow()
  return {
    enabled: user.totp_at !== null,
    enabledTime: toSecondsStr(user.totp_at),
    recoveryCodesLeft: user.recovery_codes.length,
    passkeys: user.passkeys,
    required: role.second_factor,
  }
}

function refuseEnabled(user: UserRow): void {
  if (user.totp_at) throw new AppError(errors.parameter, { detail: phrase('两步验证已经启用') })
}

export async function startSecondFactor(
  deps: UsersDeps,
  input: BodyOutput<typeof contract.startSecondFactor>,
  ctx: SignedInContext,
) {
  const user = await findUser(deps.db, ctx.user.userID)
  refuseEnabled(user)
  await guarded(deps, user, ctx.ip, () => refuseWrongPassword(user, input))
  const secret = randomBytes(secretBytes)
  await deps.db
    .updateTable('app_user')
    .set({ totp_secret: sealBytes(deps.db, places.totp(user.user_id), secret), totp_step: 0 })
    .where('user_id', '=', user.user_id)
    .where('totp_at', 'is', null)
    .execute()
  const { title } = await deps.db.selectFrom('setting').select('title').executeTakeFirstOrThrow()
  const text = toBase32(secret)
  const [issuer, account] = [encodeURIComponent(title), encodeURIComponent(user.user_name)]
  return { secret: text, secretUri: `otpauth://totp/${issuer}:${account}?secret=${text}&issuer=${issuer}` }
}

export async function confirmSecondFactor(
  deps: UsersDeps,
  input: BodyOutput<typeof contract.confirmSecondFactor>,
  ctx: SignedInContext,
) {
  const { db, clock } = deps
  const user = await findUser(db, ctx.user.userID)
  refuseEnabled(user)
  await guarded(deps, user, ctx.ip, async () => {
    if (!(await spendAppCode(db, clock, user, plainCode(input.secondCode)))) throw wrongCode()
  })
  const codes = makeRecoveryCodes()
  await db
    .updateTable('app_user')
    .set({ totp_at: new Date(clock.now()), recovery_codes: codes.kept, rev: sql`rev + 1` })
    .where('user_id', '=', user.user_id)
    .execute()
  await deps.signal.send('access.user', { userID: user.user_id })
  // They were opened with the password alone.
  await endOtherSessions(deps, ctx)
  return { recoveryCodes: codes.shown, token: await freshToken(deps, user, ctx) }
}

export async function renewRecoveryCodes({ db }: UsersDeps, { user }: SignedInContext) {
  const codes = makeRecoveryCodes()
  const { numUpdatedRows } = await db
    .updateTable('app_user')
    .set({ recovery_codes: codes.kept, rev: sql`rev + 1` })
    .where('user_id', '=', user.userID)
    .where((eb) => eb.or([eb('totp_at', 'is not', null), eb('passkeys', '>', 0)]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError(errors.parameter, { detail: phrase('两步验证尚未启用') })
  return { recoveryCodes: codes.shown }
}

const noApp = { totp_secret: null, totp_at: null, totp_step: 0, rev: sql<number>`rev + 1` }

export async function disableSecondFactor(
  deps: UsersDeps,
  input: BodyOutput<typeof contract.disableSecondFactor>,
  ctx: SignedInContext,
) {
  const user = await findUser(deps.db, ctx.user.userID)
  await guarded(deps, user, ctx.ip, async () => {
    await refuseWrongPassword(user, input)
    await refuseWrongCode(deps.db, deps.clock, user, input.secondCode)
  })
  await deps.db
    .updateTable('app_user')
    // They serve the passkeys as well.
    .set({ ...noApp, recovery_codes: sql`case when passkeys > 0 then recovery_codes else '{}' end` })
    .where('user_id', '=', user.user_id)
    .execute()
  await deps.signal.send('access.user', { userID: user.user_id })
}

export async function verifySecondFactor(
  deps: UsersDeps,
  input: BodyOutput<typeof contract.verifySecondFactor>,
  ctx: SignedInContext,
) {
  const user = await findUser(deps.db, ctx.user.userID)
  const { secondCode = '', passkey } = input
  await guarded(deps, user, ctx.ip, () =>
    passkey
      ? refuseWrongPasskey(deps, user, passkey, 'verify')
      : refuseWrongCode(deps.db, deps.clock, user, secondCode),
  )
  await deps.access.writeSeen()
  return { token: await freshToken(deps, user, ctx) }
}

export async function resetSecondFactor(deps: UsersDeps, { userID }: { userID: number }, ctx: SignedInContext) {
  const user = await findUser(deps.db, userID)
  await refuseStrongerRole(deps.db, ctx.user, user.role_id)
  await deps.db.transaction().execute(async (db) => {
    await db.deleteFrom('passkey').where('user_id', '=', userID).execute()
    await db
      .updateTable('app_user')
      .set({ ...noApp, passkeys: 0, recovery_codes: [] })
      .where('user_id', '=', userID)
      .execute()
  })
  await deps.signal.send('access.user', { userID })
}
