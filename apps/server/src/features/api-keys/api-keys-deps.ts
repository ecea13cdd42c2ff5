import type { Endpoint } from '@ithings/contract/endpoint.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'

/** What the operations on keys need; made once in app/. */
export interface ApiKeysDeps {
  db: Db
  clock: Clock
  signal: Signal
  /** Writes down which keys were used on this server. */
  writeUsed(): Promise<void>
  allows(role: number, endpoint: Endpoint): Promise<boolean>
}
