/** Sessions that began at a provider, and their end at either side. */

import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { logout } from '@ithings/contract/features/users.ts'
import { open, places } from '#db/sealed.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { SignOnFault } from '#ports/identity-provider.ts'
import type { SignOnDeps } from './sign-on-deps.ts'
import { findProvider, settingsOf, signOutUriOf } from './store.ts'

interface Which {
  providerID: number
  subject?: string | undefined
  providerSid?: string | undefined
}

/** @returns how many ended */
export async function endProviderSessions({ db, users }: SignOnDeps, { providerID, subject, providerSid }: Which) {
  const ended = await db
    .deleteFrom('sign_on_session')
    .where('provider_id', '=', providerID)
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? ''))
    .$if(providerSid !== undefined, (query) => query.where('provider_sid', '=', providerSid ?? ''))
    .returning('sid')
    .execute()
  for (const { sid } of ended) await users.access.revokeSession(sid)
  return ended.length
}

/** Where the browser goes to be signed out at the provider, too; a provider that is away keeps nobody signed in here. */
async function signOutAddress(deps: SignOnDeps, sid: string, ctx: SignedInContext): Promise<string | undefined> {
  const { db, providers } = deps
  const session = await db.deleteFrom('sign_on_session').where('sid', '=', sid).returningAll().executeTakeFirst()
  if (!session) return undefined
  const provider = await findProvider(db, session.provider_id)
  if (!provider.end_session) return undefined
  try {
    const idToken = open(db, places.signOnToken(sid), session.id_token)
    return await providers.signOutAddress(settingsOf(db, provider), idToken, signOutUriOf(deps))
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error
    ctx.log.warn({ err: error, provider: provider.key }, 'nobody could be signed out at the provider')
    return undefined
  }
}

export async function signOut(deps: SignOnDeps, ctx: SignedInContext): Promise<DataOf<typeof logout>> {
  const { sid } = ctx.user
  await deps.users.access.revokeSession(sid)
  const url = await signOutAddress(deps, sid, ctx)
  return url === undefined ? undefined : { url }
}
