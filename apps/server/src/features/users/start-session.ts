/** What every way of signing in ends with: a session, its token, and a line in the login log. */
import { randomUUID } from 'node:crypto'
import { successCode } from '@ithings/contract/envelope.ts'
import { recordLogin } from '#features/logs/door.ts'
import type { RequestContext } from '#http/request-context.ts'
import { openSession } from './sessions.ts'
import { type TokenSession, toWireToken } from './token.ts'
import { toSubject, toUserInfo, type UserRow } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

export interface SignInProof {
  /** The second factor was given, too. */
  factor: boolean
  /** By whoever vouches for the person elsewhere: it counts where a role demands one. */
  vouched?: boolean
  /** Kept sentence for the login log. */
  said: string
  /** What belongs to the session, before its token is handed out. */
  opened?(session: TokenSession): Promise<void>
}

export async function startSession(deps: UsersDeps, user: UserRow, proof: SignInProof, ctx: RequestContext) {
  const { db, clock, tokens } = deps
  const at = new Date(clock.now())
  const signedIn = await db
    .updateTable('app_user')
    .set({ last_ip: ctx.ip, last_login_at: at })
    .where('user_id', '=', user.user_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const startedAt = Math.floor(at.getTime() / 1000)
  const factorAt = proof.factor ? startedAt : 0
  const vouched = proof.vouched ?? false
  const session: TokenSession = { sid: randomUUID(), startedAt, factorAt, vouched, language: ctx.language }
  await openSession(deps, user, session, ctx)
  await proof.opened?.(session)
  const token = await tokens.issue(toSubject(user), session)
  const { user_id: userID, user_name: userName } = user
  const attempt = { userID, userName, ip: ctx.ip, userAgent: ctx.userAgent, at }
  await recordLogin(db, { ...attempt, code: successCode, msg: proof.said })
  return { info: toUserInfo(signedIn), token: toWireToken(token) }
}
