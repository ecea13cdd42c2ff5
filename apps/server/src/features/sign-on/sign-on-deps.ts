import type { Db } from '#db/schema.ts'
import type { UsersDeps } from '#features/users/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { IdentityProviders } from '#ports/identity-provider.ts'

/** What single sign-on needs; made once in app/. */
export interface SignOnDeps {
  db: Db
  clock: Clock
  users: UsersDeps
  providers: IdentityProviders
  /** Where browsers reach the platform. */
  publicUrl(): string
}
