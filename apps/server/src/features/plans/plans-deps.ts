import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import type { Db } from '#db/schema.ts'
import type { SignedInContext, SignedInUser } from '#http/request-context.ts'
import type { Clock } from '#ports/clock.ts'

/** Everything that one plan does: in one transaction, told to others when it is committed. */
export interface Scope {
  /** The transaction; functions that begin one of their own get a part of it. */
  db: Db
  /** Calls an endpoint on that transaction: the caller's rights, the check of the body, the handler that everybody meets. */
  ask<E extends Endpoint>(endpoint: E, body: BodyInput<E>): Promise<DataOf<E>>
}

export interface PlansDeps {
  db: Db
  clock: Clock
  /**
   * @param rights `unasked` for a trial of what somebody else will do: what the caller may not see or reach is refused still
   * @returns what the work returned, committed; when it throws, nothing has happened
   */
  inScope<T>(ctx: SignedInContext, work: (scope: Scope) => Promise<T>, rights?: 'unasked'): Promise<T>
  /** Throws unless the caller, and his key, may ask this. */
  refuseWithout(user: SignedInUser, endpoint: Endpoint, body: unknown): Promise<void>
}
