/** Single sign-on with its engine. Providers are reached by the rules of webhooks: inner networks as WEBHOOK_ALLOW says. */
import { makeOpenidProviders } from '#engines/openid/openid-providers.ts'
import { makeAddressGuard } from '#features/notify/address-guard.ts'
import type { SignOnDeps } from '#features/sign-on/sign-on-deps.ts'
import type { UsersDeps } from '#features/users/users-deps.ts'

/** Somebody looks at a page that does not go on. */
const timeoutMs = 10_000

export interface SignOnParts {
  users: UsersDeps
  publicUrl(): string
  forwarding: { webhookAllow: readonly string[] }
}

export function makeSignOnDeps({ users, publicUrl, forwarding }: SignOnParts): SignOnDeps {
  const { db, clock } = users
  const { allows: isPublic } = makeAddressGuard([])
  const reach = { guard: makeAddressGuard(forwarding.webhookAllow), isPublic, timeoutMs }
  return { db, clock, users, publicUrl, providers: makeOpenidProviders(reach, () => clock.now()) }
}
