/** The passkeys of an account: adding, naming and removing them. */

import type { BodyOutput, DataOf } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import * as contract from '@ithings/contract/features/passkeys.ts'
import { phrase } from '@ithings/contract/text.ts'
import { toSecondsStr, toStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import { refuseStrongerRole } from '#features/roles/door.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { guarded } from './login-guard.ts'
import { challengeLifeMs, issueChallenge } from './passkey-challenges.ts'
import { algorithms, checkNewPasskey, handleBytes, requirePlace } from './passkey-check.ts'
import { refuseWrongPassword } from './password.ts'
import { freshToken, makeRecoveryCodes } from './second-factor.ts'
import { endOtherSessions } from './sessions.ts'
import { findUser, lockUser } from './store.ts'
import { hasSecondFactor } from './user-wire.ts'
import type { PasskeyPlace, UsersDeps } from './users-deps.ts'

const ofUser = (db: Db, userID: number) =>
  db.selectFrom('passkey').selectAll().where('user_id', '=', userID).orderBy('id')

async function credentialsOf(db: Db, userID: number) {
  const rows = await ofUser(db, userID).execute()
  return rows.map(({ credential_id, transports }) => ({ id: credential_id, type: 'public-key' as const, transports }))
}

export const questionOf = (
  challenge: string,
  { rpID }: PasskeyPlace,
  allowCredentials: Awaited<ReturnType<typeof credentialsOf>> = [],
) => ({
  question: {
    challenge,
    rpId: rpID,
    timeout: challengeLifeMs,
    userVerification: 'required' as const,
    allowCredentials,
  },
})

export async function listPasskeys({ db }: UsersDeps, { user }: SignedInContext) {
  const rows = await ofUser(db, user.userID).execute()
  const list = rows.map(
    (row): contract.Passkey => ({
      id: toStr(row.id),
      name: row.name,
      createdTime: toSecondsStr(row.created_at),
      usedTime: toSecondsStr(row.used_at),
      backedUp: row.backed_up,
    }),
  )
  return { list, total: list.length }
}

function refuseTooMany({ passkeys }: { passkeys: number }): void {
  if (passkeys < contract.mostPasskeys) return
  const detail = phrase('一个账号最多 {count} 个通行密钥', { count: contract.mostPasskeys })
  throw new AppError(errors.parameter, { detail })
}

/** Whoever has a second factor has given it lately, or would not be here; anybody else knows at least the password. */
export async function startPasskey(
  deps: UsersDeps,
  input: BodyOutput<typeof contract.startPasskey>,
  ctx: SignedInContext,
): Promise<DataOf<typeof contract.startPasskey>> {
  const { db, clock } = deps
  const { rpID } = requirePlace(deps)
  const user = await findUser(db, ctx.user.userID)
  refuseTooMany(user)
  if (!hasSecondFactor(user)) await guarded(deps, user, ctx.ip, () => refuseWrongPassword(user, input))
  const { title } = await db.selectFrom('setting').select('title').executeTakeFirstOrThrow()
  return {
    question: {
      challenge: await issueChallenge(db, clock, 'add', user.user_id),
      rp: { id: rpID, name: title },
      user: {
        id: handleBytes(user.passkey_handle).toString('base64url'),
        name: user.user_name,
        displayName: user.nick_name || user.user_name,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: challengeLifeMs,
      excludeCredentials: await credentialsOf(db, user.user_id),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  }
}

/** Counts them anew, and takes the recovery codes away with the last factor. Needs the lock of the user. */
async function countPasskeys(db: Db, userID: number): Promise<void> {
  const { passkeys } = await db
    .updateTable('app_user')
    .set({
      passkeys: sql`(select count(*) from passkey where passkey.user_id = app_user.user_id)`,
      rev: sql`rev + 1`,
    })
    .where('user_id', '=', userID)
    .returning('passkeys')
    .executeTakeFirstOrThrow()
  if (passkeys > 0) return
  await db
    .updateTable('app_user')
    .set({ recovery_codes: [] })
    .where('user_id', '=', userID)
    .where('totp_at', 'is', null)
    .execute()
}

const known = (cause: unknown) =>
  new AppError(errors.duplicate, { msg: phrase('这个通行密钥已经添加过'), field: 'passkey', cause })

export async function addPasskey(
  deps: UsersDeps,
  { name, passkey }: BodyOutput<typeof contract.addPasskey>,
  ctx: SignedInContext,
) {
  const { userID } = ctx.user
  const made = await checkNewPasskey(deps, passkey, userID)
  const codes = makeRecoveryCodes()
  const { user, first } = await deps.db.transaction().execute(async (db) => {
    const user = await lockUser(db, userID)
    refuseTooMany(user)
    const row = { user_id: userID, name, ...made, created_at: new Date(deps.clock.now()) }
    await inWords(db.insertInto('passkey').values(row).execute(), { passkey_credential_key: known })
    await countPasskeys(db, userID)
    const first = !hasSecondFactor(user)
    if (first)
      await db.updateTable('app_user').set({ recovery_codes: codes.kept }).where('user_id', '=', userID).execute()
    return { user, first }
  })
  await deps.signal.send('access.user', { userID })
  // The others were opened with the password alone.
  if (first) await endOtherSessions(deps, ctx)
  return { recoveryCodes: first ? codes.shown : [], token: await freshToken(deps, user, ctx) }
}

const missing = () => new AppError(errors.notFound, { detail: phrase('这个通行密钥已被移除') })

export async function renamePasskey(
  { db }: UsersDeps,
  { id, name }: BodyOutput<typeof contract.renamePasskey>,
  { user }: SignedInContext,
) {
  const own = db.updateTable('passkey').set({ name }).where('id', '=', id).where('user_id', '=', user.userID)
  if ((await own.executeTakeFirst()).numUpdatedRows === 0n) throw missing()
}

export async function removePasskey(deps: UsersDeps, { id }: { id: number }, { user: { userID } }: SignedInContext) {
  await deps.db.transaction().execute(async (db) => {
    await lockUser(db, userID)
    const own = db.deleteFrom('passkey').where('id', '=', id).where('user_id', '=', userID)
    if ((await own.executeTakeFirst()).numDeletedRows === 0n) throw missing()
    await countPasskeys(db, userID)
  })
  await deps.signal.send('access.user', { userID })
}

export async function startPasskeyCheck(deps: UsersDeps, { user: { userID } }: SignedInContext) {
  const place = requirePlace(deps)
  const own = await credentialsOf(deps.db, userID)
  if (own.length === 0) throw new AppError(errors.parameter, { detail: phrase('你的账号没有通行密钥') })
  return questionOf(await issueChallenge(deps.db, deps.clock, 'verify', userID), place, own)
}

export async function removeUserPasskeys(deps: UsersDeps, { userID }: { userID: number }, ctx: SignedInContext) {
  await deps.db.transaction().execute(async (db) => {
    const user = await lockUser(db, userID)
    await refuseStrongerRole(db, ctx.user, user.role_id)
    await db.deleteFrom('passkey').where('user_id', '=', userID).execute()
    await countPasskeys(db, userID)
  })
  await deps.signal.send('access.user', { userID })
}
