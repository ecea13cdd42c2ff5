import type { Common } from '#common-deps.ts'
import type { DeviceCache } from '#features/devices/door.ts'
import type { ProductCache } from '#features/products/door.ts'

export interface DeviceAuthDeps extends Common<'db' | 'clock' | 'signal'> {
  devices: Pick<DeviceCache, 'get'>
  products: Pick<ProductCache, 'get'>
}
