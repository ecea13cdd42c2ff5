/** Sign-in with all rules of http-api.md 2.2; every attempt leaves a line in the login log. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { EnabledStatus, type login as loginEndpoint } from '@ithings/contract/features/users.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { recordLogin } from '#features/logs/door.ts'
import type { RequestContext } from '#http/request-context.ts'
import { giveBackCaptcha, useCaptcha } from './captcha.ts'
import {
  countAttempt,
  failuresToWarn,
  forgetFailures,
  freezeAtLimit,
  refuseFrozen,
  type Subjects,
  subjectsOf,
  uncountAttempt,
} from './login-guard.ts'
import { refuseWrongPasskey } from './passkey-check.ts'
import { nobodysHash, passwordMatches } from './password.ts'
import { refuseWrongCode } from './second-factor.ts'
import { startSession } from './start-session.ts'
import { findByAccount } from './store.ts'
import { hasSecondFactor, type UserRow } from './user-wire.ts'
import type { UsersDeps } from './users-deps.ts'

// Work for the same name one after the other, in this process; for different names side by side.

/** Beyond this nobody waits: who is behind so many has gone by the time it would be looked at. */
const mostWaiting = 100

const queues = new Map<string, { last: Promise<unknown>; waiting: number }>()

export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(name) ?? { last: Promise.resolve(), waiting: 0 }
  if (queue.waiting >= mostWaiting) throw new AppError(errors.rateLimited)
  queue.waiting++
  queues.set(name, queue)
  const mine = queue.last.then(work)
  queue.last = mine.catch(() => undefined)
  try {
    return await mine
  } finally {
    queue.waiting--
    if (queue.waiting === 0) queues.delete(name)
  }
}

type Input = BodyOutput<typeof loginEndpoint>

async function checkCaptcha({ db, clock, captchaRequired }: UsersDeps, input: Input): Promise<void> {
  if (!captchaRequired) return
  if (!input.code || !input.codeID)
    throw new AppError(errors.captcha, { detail: phrase('请输入验证码'), field: 'code' })
  if (!(await useCaptcha(db, clock, input.codeID, input.code))) {
    throw new AppError(errors.captcha, { detail: phrase('不正确或已过期'), field: 'code' })
  }
}

/** Behind the right password; a wrong code counts like a wrong password. */
async function checkSecondFactor(deps: UsersDeps, input: Input, user: UserRow, subjects: Subjects) {
  if (!hasSecondFactor(user)) return
  const { db, clock } = deps
  try {
    if (input.passkey) return await refuseWrongPasskey(deps, user, input.passkey, 'sign-in')
    if (!input.secondCode) throw new AppError(errors.secondFactorNeeded, { field: 'secondCode' })
    await refuseWrongCode(db, clock, user, input.secondCode)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (input.code && input.codeID) await giveBackCaptcha(db, clock, input.codeID, input.code)
    if (error.code === errors.secondFactorNeeded.code) await uncountAttempt(db, subjects)
    else await freezeAtLimit(db, clock, subjects)
    await refuseFrozen(db, clock, subjects)
    throw error
  }
}

export const disabledAccount = () => new AppError(errors.notEnabled, { detail: phrase('账号已被禁用，请联系管理员') })

async function authenticate(deps: UsersDeps, input: Input, user: UserRow | undefined, ip: string): Promise<UserRow> {
  const { db, clock } = deps
  if (input.loginType !== 'pwd') throw new AppError(errors.enterprise)
  // One count for the name, phone and e-mail of an account, or each of them would give another eight tries.
  const account = user?.user_name ?? input.account
  const subjects = await subjectsOf(db, clock, { account, userID: user?.user_id ?? 0, ip })
  await refuseFrozen(db, clock, subjects)
  await checkCaptcha(deps, input)
  // Of many at once, to one account or from one office, none is refused because others are being looked at.
  const look = async () => {
    const failures = await countAttempt(db, clock, subjects)
    // What a name that nobody has costs in time is what a wrong password costs.
    const matches = await passwordMatches(user?.password_hash ?? nobodysHash, input.password, input.pwdType)
    if (user && matches) {
      const enabled = user.status === EnabledStatus.enabled
      if (enabled) await checkSecondFactor(deps, input, user, subjects)
      await forgetFailures(db, subjects)
      if (!enabled) throw disabledAccount()
      return user
    }
    await freezeAtLimit(db, clock, subjects)
    // At the limit the freeze answers at once, so that the person knows why the next try will not work. All of it in the
    // same words whether there is such an account or not.
    await refuseFrozen(db, clock, subjects)
    throw new AppError(failures > failuresToWarn ? errors.useCaptcha : errors.password)
  }
  return oneAtATime(subjects.account, () => oneAtATime(subjects.address, look))
}

/** Of somebody who is known only by a name that he gave, or not at all. */
export const attemptOf = ({ clock }: UsersDeps, user: UserRow | undefined, name: string, ctx: RequestContext) => ({
  userID: user?.user_id ?? 0,
  userName: user?.user_name ?? name,
  ip: ctx.ip,
  userAgent: ctx.userAgent,
  at: new Date(clock.now()),
})
type Attempt = ReturnType<typeof attemptOf>

/** A refusal is a line of the login log. Existing consoles show any code but 200 as failed; it keeps 200 or 400 (http-api.md 2.2). */
export async function recordRefusal<T>({ db }: UsersDeps, attempt: Attempt, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError) await recordLogin(db, { ...attempt, code: 400, msg: error.kept() })
    throw error
  }
}

export async function login(deps: UsersDeps, input: Input, ctx: RequestContext) {
  const found = await findByAccount(deps.db, input.account)
  const attempt = attemptOf(deps, found, input.account, ctx)
  const user = await recordRefusal(deps, attempt, authenticate(deps, input, found, ctx.ip))
  const factor = hasSecondFactor(user)
  const said = factor && input.passkey ? kept('登录成功（密码和通行密钥）') : kept('登录成功')
  return startSession(deps, user, { factor, said }, ctx)
}
