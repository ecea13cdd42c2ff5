import type { Db } from '#db/schema.ts'
import type { DeviceCache } from '#features/devices/door.ts'
import type { ProductCache } from '#features/products/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'

export interface DeviceAuthDeps {
  db: Db
  clock: Clock
  signal: Signal
  devices: Pick<DeviceCache, 'get'>
  products: Pick<ProductCache, 'get'>
}
