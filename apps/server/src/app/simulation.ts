/** Virtual devices for those that people marked as simulated: real connections to our own broker. */

import { maxSimulated } from '@ithings/contract/features/devices/bulk.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { type SimulatedDevice, simulateDevice } from '@ithings/simulator/simulate-device.ts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Signal } from '#ports/signal.ts'

export interface SimulationParts {
  db: Db
  signal: Signal
  products: ProductBook
  log: Logger
  /** mqtt://127.0.0.1:port */
  url: string
}

interface Row {
  device_id: number
  product_id: string
  device_name: string
  secret: string
  version: string
}

interface Running {
  virtual: SimulatedDevice
  productID: string
  secret: string
  model: ThingModel
}

const waitMs = 300
const reportEveryMs = 5_000
/** Of a device that never told one: upgrades can be tried with it. */
const firstVersion = '1.0.0'

/** @returns a function that ends all of them */
export function startSimulation({ db, signal, products, log, url }: SimulationParts): () => Promise<void> {
  const running = new Map<number, Running>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()

  const start = (row: Row, model: ThingModel) => {
    const device = { productID: row.product_id, deviceName: row.device_name, secret: row.secret }
    const options = { intervalMs: reportEveryMs, version: row.version || firstVersion }
    const virtual = simulateDevice({ url, device, model, options })
    running.set(row.device_id, { virtual, productID: row.product_id, secret: row.secret, model })
  }

  const end = async (deviceID: number) => {
    const one = running.get(deviceID)
    running.delete(deviceID)
    await one?.virtual.stop()
  }

  /** Starts what is missing, ends what is no longer wanted, and begins anew where the model has changed. */
  const follow = async () => {
    const { rows } = await sql<Row>`
      select device_id, product_id, device_name, secret, version from device
      where is_simulated = 1 and is_enable = 1 order by device_id limit ${maxSimulated}`.execute(db)
    const wanted = new Map(rows.map((row) => [row.device_id, row]))
    for (const deviceID of running.keys()) if (!wanted.has(deviceID)) await end(deviceID)
    for (const row of rows) {
      if (stopped) return
      const product = await products.get(row.product_id)
      const now = running.get(row.device_id)
      if (!product || (now?.model === product.model && now.secret === row.secret)) continue
      await end(row.device_id)
      start(row, product.model)
    }
  }

  const plan = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work = work
        .then(follow)
        .catch((error: unknown) => log.warn({ err: error }, 'virtual devices could not be started'))
    }, waitMs).unref()
  }
  signal.on('device.changed', plan)
  signal.on('product.changed', plan)
  signal.onGap(plan)
  plan()

  return async () => {
    stopped = true
    clearTimeout(timer)
    await work
    await Promise.all([...running.keys()].map(end))
  }
}
