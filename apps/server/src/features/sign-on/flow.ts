/**
 * A sign-in that was begun. What ties its end to its beginning travels sealed through the browser that began it, so that
 * servers keep nothing; that it is finished once, the database knows.
 */
import { randomUUID } from 'node:crypto'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { open, places, seal } from '#db/sealed.ts'
import type { SignOnChecks } from '#ports/identity-provider.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { findEnabled, type ProviderRow, redirectUriOf, settingsOf } from './store.ts'

/** For a person who looks for his phone. */
const lifeMs = 10 * 60_000

interface Flow {
  id: string
  providerID: number
  until: number
  checks: SignOnChecks
}

export async function beginSignOn(deps: SignOnDeps, { key }: { key: string }) {
  const { db, clock, providers } = deps
  const provider = await findEnabled(db, key)
  const redirectUri = redirectUriOf(deps, key)
  const checks = providers.makeChecks()
  const url = await providers.addressOf(settingsOf(db, provider), redirectUri, checks)
  const flow: Flow = { id: randomUUID(), providerID: provider.id, until: clock.now() + lifeMs, checks }
  return { url, redirectUri, flow: seal(db, places.signOnFlow, JSON.stringify(flow)) }
}

const stale = () => new AppError(errors.fallback, { msg: phrase('这次登录已过期或已用过，请重新登录') })

function read({ db }: SignOnDeps, sealed: string): Flow {
  try {
    const text = open(db, places.signOnFlow, sealed)
    // What is not sealed would be taken as it is.
    if (text !== sealed) return JSON.parse(text) as Flow
  } catch {
    // Made by somebody else, or with a key that is gone.
  }
  throw stale()
}

async function spend({ db, clock }: SignOnDeps, { id, until }: Flow): Promise<boolean> {
  await db.deleteFrom('sign_on_spent').where('expires_at', '<', new Date(clock.now())).execute()
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('sign_on_spent')
    .values({ id, expires_at: new Date(until) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** @throws AppError unless it was begun here, for this provider, not long ago, and is finished for the first time */
export async function takeFlow(deps: SignOnDeps, provider: ProviderRow, sealed: string): Promise<SignOnChecks> {
  const flow = read(deps, sealed)
  if (flow.providerID !== provider.id) throw new AppError(errors.fallback, { msg: phrase('应答来自别的登录服务') })
  if (flow.until < deps.clock.now() || !(await spend(deps, flow))) throw stale()
  return flow.checks
}
