import type { Logger } from 'pino'
import type { Background } from '#background/background.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'

/** What nearly every part of the server is given by app/. */
export interface CommonDeps {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  log: Logger
  background: Background
}

/** Of these what a part needs. */
export type Common<Names extends keyof CommonDeps> = Pick<CommonDeps, Names>
