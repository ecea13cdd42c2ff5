import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Db } from '#db/schema.ts'
import type { DeviceBook } from '#features/devices/door.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { Signal } from '#ports/signal.ts'
import type { SceneRunner } from '../engine/engine-types.ts'

/** What watching needs; made once in app/. */
export interface WatchKit {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  log: Logger
  metrics: Registry
  products: ProductBook
  devices: DeviceBook
  latest: LatestValues
  runner: SceneRunner
  /** Of this server among those on the database. */
  node: number
  /** No other server uses the database: what memory says is all there is. */
  alone: boolean
}
