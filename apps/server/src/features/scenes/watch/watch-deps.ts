import type { Registry } from 'prom-client'
import type { CommonDeps } from '#common-deps.ts'
import type { DeviceCache } from '#features/devices/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { LatestValues } from '#ports/latest-values.ts'
import type { SceneRunner } from '../engine/engine-types.ts'

/** What watching needs; made once in app/. */
export interface WatchDeps extends CommonDeps {
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
