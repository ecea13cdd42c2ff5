/** What the export of a list needs of the endpoints of others; `app/` fills it. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import type { SignedInUser } from '#http/request-context.ts'

export interface Lists {
  find(path: string): Endpoint | undefined
  /** Who asked, as he is now. @param keyID the API key that he asked by; 0: none */
  caller(userID: number, keyID: number): Promise<SignedInUser>
  /** Refuses an endpoint that the caller may not call, and a body that it does not take. */
  check(endpoint: Endpoint, body: object, user: SignedInUser): Promise<void>
  /** Its answer, by the same checks and the same handler as over the network. */
  ask(endpoint: Endpoint, body: object, user: SignedInUser): Promise<unknown>
}
