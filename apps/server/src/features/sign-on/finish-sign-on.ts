import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { finishSignOn as endpoint } from '@ithings/contract/features/sign-on-flow.ts'
import { kept } from '@ithings/contract/text.ts'
import { places, seal } from '#db/sealed.ts'
import { recordLogin } from '#features/logs/door.ts'
import { startSession } from '#features/users/door.ts'
import type { RequestContext } from '#http/request-context.ts'
import { type SignedOn, SignOnFault } from '#ports/identity-provider.ts'
import { textAt } from './claims.ts'
import { type CompanyUser, companyUser } from './company-user.ts'
import { takeFlow } from './flow.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { findEnabled, type ProviderRow, redirectUriOf, settingsOf } from './store.ts'

export const toAppError = (error: unknown): unknown =>
  error instanceof SignOnFault ? new AppError(errors.fallback, { msg: error.words, cause: error }) : error

async function redeem(deps: SignOnDeps, provider: ProviderRow, input: BodyOutput<typeof endpoint>): Promise<SignedOn> {
  const checks = await takeFlow(deps, provider, input.flow)
  const address = new URL(redirectUriOf(deps, provider.key))
  address.search = input.query
  return deps.providers.redeem(settingsOf(deps.db, provider), address, checks)
}

/** Those who are refused stand in the login log by the name that the provider gave them. */
async function recordRefusal(
  { db, clock }: SignOnDeps,
  provider: ProviderRow,
  userName: string,
  error: AppError,
  { ip, userAgent }: RequestContext,
): Promise<void> {
  const msg = kept('通过「{name}」登录失败：{reason}', { name: provider.name, reason: error.kept() })
  await recordLogin(db, { userID: 0, userName, ip, userAgent, code: 400, msg, at: new Date(clock.now()) })
}

export async function finishSignOn(deps: SignOnDeps, input: BodyOutput<typeof endpoint>, ctx: RequestContext) {
  const { db } = deps
  const provider = await findEnabled(db, input.key)
  let signedOn: SignedOn | undefined
  let found: CompanyUser
  try {
    signedOn = await redeem(deps, provider, input)
    found = await companyUser(deps, provider, signedOn, ctx.ip)
  } catch (cause) {
    const error = toAppError(cause)
    const userName = signedOn ? textAt(signedOn.claims, provider.user_name_claim).slice(0, 64) : ''
    if (error instanceof AppError) await recordRefusal(deps, provider, userName, error, ctx)
    if (cause instanceof SignOnFault) ctx.log.warn({ err: cause, provider: provider.key }, 'a single sign-on failed')
    throw error
  }
  const { subject, claims, idToken } = signedOn
  const providerSid = textAt(claims, 'sid').slice(0, 255)
  const opened = async ({ sid }: { sid: string }) => {
    const sealed = seal(db, places.signOnToken(sid), idToken)
    const row = { sid, provider_id: provider.id, subject, provider_sid: providerSid, id_token: sealed }
    await db.insertInto('sign_on_session').values(row).execute()
  }
  const said = kept('通过「{name}」登录成功', { name: provider.name })
  const { user, vouched } = found
  return startSession(deps.users, user, { factor: vouched, vouched, said, opened }, ctx)
}
