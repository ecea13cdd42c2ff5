import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import type { Translate } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { Backfill } from '#ports/backfill.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Files } from '#ports/files.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { Signal } from '#ports/signal.ts'

/** Calls an endpoint of this very server, with the checks that everybody meets: what is loaded is as people make it. */
export type Ask = <E extends Endpoint>(endpoint: E, body: BodyInput<E>, user: SignedInUser) => Promise<DataOf<E>>

export interface DemoDeps {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  log: Logger
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
