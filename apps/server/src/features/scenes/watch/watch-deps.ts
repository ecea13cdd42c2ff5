import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Background } from '#background/background.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceCache } from '#features/devices/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { Signal } from '#ports/signal.ts'
import type { SceneRunner } from '../engine/engine-types.ts'

/** What watching needs; made once in app/. */
export interface WatchDeps {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  log: Logger
  background: Background
  metrics: Registry
  products: ProductCache
  devices: DeviceCache
  latest: LatestValues
  runner: SceneRunner
  /** Of this server among those on the database. */
  node: number
  serverID: string
  /** No other server uses the database: what memory says is all there is. */
  alone: boolean
}
