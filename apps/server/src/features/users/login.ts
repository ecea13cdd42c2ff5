/** Sign-in with all rules of http-api.md 2.2; every attempt leaves a line in the login log. */
import { randomUUID } from 'node:crypto'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { successCode } from '@ithings/contract/envelope.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { EnabledStatus, type login as loginEndpoint } from '@ithings/contract/features/users.ts'
import { recordLogin } from '#features/logs/door.ts'
import type { RequestContext } from '#http/request-context.ts'
import { useCaptcha } from './captcha.ts'
import { inTurn } from './in-turn.ts'
import { countAttempt, failuresToWarn, forgetFailures, freezeAtLimit, refuseFrozen, subjectsOf } from './login-guard.ts'
import { nobodysHash, passwordMatches } from './password.ts'
import { openSession } from './sessions.ts'
import { findByAccount } from './store.ts'
import { toUserInfo, type UserRow } from './user-wire.ts'
import type { UsersKit } from './users-kit.ts'

type Input = BodyOutput<typeof loginEndpoint>

async function checkCaptcha({ db, clock, captchaRequired }: UsersKit, input: Input): Promise<void> {
  const given = input.code && input.codeID
  if (!captchaRequired && !given) return
  if (!given) throw new AppError(errors.captcha, { detail: '请输入验证码', field: 'code' })
  if (!(await useCaptcha(db, clock, input.codeID ?? '', input.code ?? ''))) {
    throw new AppError(errors.captcha, { detail: '不正确或已过期', field: 'code' })
  }
}

async function authenticate(kit: UsersKit, input: Input, user: UserRow | undefined, ip: string): Promise<UserRow> {
  const { db, clock } = kit
  if (input.loginType !== 'pwd') throw new AppError(errors.enterprise)
  // One count for the name, phone and e-mail of an account, or each of them would give another eight tries.
  const account = user?.user_name ?? input.account
  const subjects = await subjectsOf(db, clock, { account, userID: user?.user_id ?? 0, ip })
  await refuseFrozen(db, clock, subjects)
  await checkCaptcha(kit, input)
  // Of many at once, to one account or from one office, none is refused because others are being looked at.
  const look = async () => {
    const failures = await countAttempt(db, clock, subjects)
    // What a name that nobody has costs in time is what a wrong password costs.
    const matches = await passwordMatches(user?.password_hash ?? nobodysHash, input.password, input.pwdType)
    if (user && matches) {
      await forgetFailures(db, subjects)
      if (user.status !== EnabledStatus.enabled) {
        throw new AppError(errors.notEnabled, { detail: '账号已被禁用，请联系管理员' })
      }
      return user
    }
    await freezeAtLimit(db, clock, subjects)
    // At the limit the freeze answers at once, so that the person knows why the next try will not work. All of it in the
    // same words whether there is such an account or not.
    await refuseFrozen(db, clock, subjects)
    throw new AppError(failures > failuresToWarn ? errors.useCaptcha : errors.password)
  }
  return inTurn(subjects.account, () => inTurn(subjects.address, look))
}

export async function login(kit: UsersKit, input: Input, ctx: RequestContext) {
  const { db, clock, tokens } = kit
  const found = await findByAccount(db, input.account)
  const attempt = {
    userID: found?.user_id ?? 0,
    userName: found?.user_name ?? input.account,
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    at: new Date(clock.now()),
  }
  let user: UserRow
  try {
    user = await authenticate(kit, input, found, ctx.ip)
  } catch (error) {
    // The public console shows any code but 200 as failed (http-api.md 2.2: 200/400).
    if (error instanceof AppError) await recordLogin(db, { ...attempt, code: 400, msg: error.message })
    throw error
  }
  const signedIn = await db
    .updateTable('app_user')
    .set({ last_ip: ctx.ip, last_login_at: attempt.at })
    .where('user_id', '=', user.user_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const session = { sid: randomUUID(), startedAt: Math.floor(clock.now() / 1000) }
  await openSession(kit, user, session, ctx)
  const subject = { userID: user.user_id, role: user.role_id, isAllData: user.is_all_data, version: user.token_version }
  const token = await tokens.issue(subject, session)
  await recordLogin(db, { ...attempt, code: successCode, msg: '登录成功' })
  return {
    info: toUserInfo(signedIn),
    token: {
      accessToken: token.accessToken,
      accessExpire: String(token.accessExpire),
      refreshAfter: String(token.refreshAfter),
    },
  }
}
