/** Sign-in with a passkey alone: it knows whose it is, and has verified who uses it. Counted and logged as with a password. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError } from '@ithings/contract/errors.ts'
import type { signInByPasskey as endpoint } from '@ithings/contract/features/passkeys.ts'
import { EnabledStatus } from '@ithings/contract/features/users.ts'
import { kept } from '@ithings/contract/text.ts'
import type { RequestContext } from '#http/request-context.ts'
import { attemptOf, disabledAccount, oneAtATime, recordRefusal } from './login.ts'
import { countAttempt, forgetFailures, freezeAtLimit, refuseFrozen, subjectsOf } from './login-guard.ts'
import { issueChallenge } from './passkey-challenges.ts'
import { checkPasskey, findPasskey, requirePlace } from './passkey-check.ts'
import { questionOf } from './passkeys.ts'
import { startSession } from './start-session.ts'
import { findUser } from './store.ts'
import type { UserRow } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

type Input = BodyOutput<typeof endpoint>
type Found = Awaited<ReturnType<typeof findPasskey>>

export async function startPasskeySignIn(deps: UsersDeps) {
  const place = requirePlace(deps)
  return questionOf(await issueChallenge(deps.db, deps.clock, 'sign-in'), place)
}

async function authenticate(deps: UsersDeps, { passkey }: Input, found: Found, user: UserRow | undefined, ip: string) {
  const { db, clock } = deps
  // What nobody has is counted for the address; no user is called so.
  const account = user?.user_name ?? `passkey@${ip}`
  const subjects = await subjectsOf(db, clock, { account, userID: user?.user_id ?? 0, ip })
  const look = async () => {
    await countAttempt(db, clock, subjects)
    try {
      await checkPasskey(deps, passkey, found, { purpose: 'sign-in' })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await freezeAtLimit(db, clock, subjects)
      await refuseFrozen(db, clock, subjects)
      throw error
    }
    await forgetFailures(db, subjects)
    if (user?.status !== EnabledStatus.enabled) throw disabledAccount()
    return user
  }
  return oneAtATime(subjects.account, () => oneAtATime(subjects.address, look))
}

export async function signInByPasskey(deps: UsersDeps, input: Input, ctx: RequestContext) {
  const found = await findPasskey(deps, input.passkey)
  const owner = found && (await findUser(deps.db, found.user_id))
  const attempt = attemptOf(deps, owner, '', ctx)
  const user = await recordRefusal(deps, attempt, authenticate(deps, input, found, owner, ctx.ip))
  return startSession(deps, user, { factor: true, said: kept('登录成功（通行密钥）') }, ctx)
}
