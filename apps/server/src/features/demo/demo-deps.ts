import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import type { Translate } from '@ithings/contract/text.ts'
import type { Common } from '#common-deps.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { Backfill } from '#ports/backfill.ts'
import type { Files } from '#ports/files.ts'
import type { LatestValues } from '#ports/latest-values.ts'

/** Calls an endpoint of this very server, with the checks that everybody meets: what is loaded is as people make it. */
export type Ask = <E extends Endpoint>(endpoint: E, body: BodyInput<E>, user: SignedInUser) => Promise<DataOf<E>>

export interface DemoDeps extends Common<'db' | 'clock' | 'signal' | 'bus' | 'log'> {
  jobs: JobsDeps
  files: Files
  latest: LatestValues
  backfill: Backfill
  ask: Ask
}

/** One loading: who asked for it, and the moment that all its times are counted from. */
export interface Loading {
  deps: DemoDeps
  user: SignedInUser
  now: number
  /** Says the names of the fleet in the language of whoever loads it. */
  t: Translate
}
