import type { Db } from '#db/schema.ts'
import type { Secrets } from '#db/secrets.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'

/** What sign-in needs to know about a device; the book of the devices feature, which is a neighbour. */
interface KnownDevice {
  deviceID: number
  secrets: Secrets
  isEnable: number
  deviceType: number
  gateway: { productID: string; deviceName: string } | undefined
}

type Perhaps<T> = T | undefined | Promise<T | undefined>

export interface DeviceAuthKit {
  db: Db
  clock: Clock
  signal: Signal
  devices: { get(productID: string, deviceName: string): Perhaps<KnownDevice> }
  products: Pick<ProductBook, 'get'>
}
