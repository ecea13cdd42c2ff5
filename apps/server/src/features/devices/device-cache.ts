/** What the hot path knows about devices: identity, secret, gateway. Forgotten when the device or its binding changes. */
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import { places } from '#db/sealed.ts'
import type { Sealed } from '#db/sealed-column.ts'
import { openSecrets, type Secrets } from '#db/secrets.ts'

export interface CachedDevice {
  deviceID: number
  productID: string
  deviceName: string
  secrets: Secrets
  /** 1 yes, 2 no */
  isEnable: number
  deviceType: number
  logLevel: number
  /** Whom it speaks through. */
  gateway: { productID: string; deviceName: string } | undefined
}

export interface DeviceCache {
  /** At once when it is remembered, which is the rule. */
  get(productID: string, deviceName: string): CachedDevice | undefined | Promise<CachedDevice | undefined>
  /** Which of them exist and may speak, as the database has it: one question, however many. */
  enabledAmong(deviceIDs: number[]): Promise<ReadonlySet<number>>
  readonly size: number
}

/** Names that do not exist are remembered briefly: a stranger that knocks in a loop costs one query in this time. */
const missingForMs = 2_000

interface Row {
  secret: Sealed
  old_secret: Sealed
  old_secret_until: number
  device_id: number
  is_enable: number
  device_type: number
  log_level: number
  gateway_product: string | null
  gateway_name: string | null
}

async function load(db: Db, productID: string, deviceName: string): Promise<CachedDevice | undefined> {
  const { rows } = await sql<Row>`
    select d.device_id, d.secret, d.old_secret, d.old_secret_until, d.is_enable, p.device_type, d.log_level,
      g.product_id as gateway_product, g.device_name as gateway_name
    from device d join product p using (product_id)
    left join gateway_device b on b.device_id = d.device_id
    left join device g on g.device_id = b.gateway_id
    where d.product_id = ${productID} and d.device_name = ${deviceName}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { gateway_product: product, gateway_name: name } = row
  return {
    deviceID: row.device_id,
    productID,
    deviceName,
    secrets: openSecrets(db, places.device(productID, deviceName), row),
    isEnable: row.is_enable,
    deviceType: row.device_type,
    logLevel: row.log_level,
    gateway: product !== null && name !== null ? { productID: product, deviceName: name } : undefined,
  }
}

type Known = CachedDevice | { missingUntil: number } | Promise<CachedDevice | undefined>

export interface DeviceCacheDeps extends Common<'db' | 'clock' | 'signal'> {
  /** More are never remembered: then all are asked for again. */
  mostDevices: number
}

export function makeDeviceCache({ db, clock, signal, mostDevices }: DeviceCacheDeps): DeviceCache {
  // By product, so that a notice about all devices of one is cheap.
  const products = new Map<string, Map<string, Known>>()
  let size = 0

  const forget = (productID: string, deviceName: string) => {
    const devices = products.get(productID)
    if (deviceName !== '') {
      if (devices?.delete(deviceName)) size--
      return
    }
    size -= devices?.size ?? 0
    products.delete(productID)
  }
  const forgetAll = () => {
    products.clear()
    size = 0
  }
  signal.on('device.changed', ({ productID, deviceName }) => forget(productID, deviceName))
  signal.on('product.changed', ({ productID }) => forget(productID, ''))
  signal.onGap(forgetAll)

  const put = (productID: string, deviceName: string, known: Known) => {
    // Rare and simple: a cache that is full is begun anew, the devices at work come back with one query each.
    if (size >= mostDevices) forgetAll()
    let devices = products.get(productID)
    if (!devices) {
      devices = new Map()
      products.set(productID, devices)
    }
    if (!devices.has(deviceName)) size++
    devices.set(deviceName, known)
  }

  const fetch = (productID: string, deviceName: string): Promise<CachedDevice | undefined> => {
    const current = () => products.get(productID)?.get(deviceName)
    const loading = load(db, productID, deviceName).then(
      (device) => {
        // A change that came meanwhile has removed the promise: then the next one asks again.
        if (current() !== loading) return device
        if (!signal.connected) forget(productID, deviceName)
        else put(productID, deviceName, device ?? { missingUntil: clock.now() + missingForMs })
        return device
      },
      (error) => {
        if (current() === loading) forget(productID, deviceName)
        throw error
      },
    )
    put(productID, deviceName, loading)
    return loading
  }

  return {
    get(productID, deviceName) {
      const known = products.get(productID)?.get(deviceName)
      if (known === undefined) return fetch(productID, deviceName)
      if (known instanceof Promise || 'deviceID' in known) return known
      return known.missingUntil > clock.now() ? undefined : fetch(productID, deviceName)
    },
    async enabledAmong(deviceIDs) {
      const { rows } = await sql<{ device_id: number }>`
        select device_id from device where device_id = any(${deviceIDs}) and is_enable = 1`.execute(db)
      return new Set(rows.map((row) => row.device_id))
    },
    get size() {
      return size
    },
  }
}
