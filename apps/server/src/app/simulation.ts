/** Virtual devices for those that people marked as simulated: real connections to our own broker. */

import { maxSimulated } from '@ithings/contract/features/devices/bulk.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { SimulateOptions, SubDevice } from '@ithings/simulator/options.ts'
import { type SimulatedDevice, simulateDevice } from '@ithings/simulator/simulate-device.ts'
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import { open, places } from '#db/sealed.ts'
import { demoTurnMs } from '#features/demo/fleet/demo-curve.ts'
import type { ProductCache } from '#features/products/door.ts'

export interface SimulationParts extends Common<'db' | 'signal' | 'log'> {
  products: ProductCache
  /** mqtt://127.0.0.1:port */
  url: string
  /** How numbers of a product run; undefined: as its model lets guess. */
  curvesOf(productID: string): SimulateOptions['curves'] | undefined
}

interface Row {
  device_id: number
  product_id: string
  device_name: string
  secret: string
  version: string
  /** The gateway that speaks for it; null: none. */
  gateway_id: number | null
}

/** A device with those that speak through it, first itself. */
type Family = Array<{ row: Row; model: ThingModel }>

interface Running {
  virtual: SimulatedDevice
  family: Family
}

const waitMs = 300
const reportEveryMs = 5_000
/** Events of the demo's raise alarms: about one a day and device. */
const rareEventMs = 24 * 3_600_000
/** Of a device that never told one: upgrades can be tried with it. */
const firstVersion = '1.0.0'

/** What it is made of is what it was made of: neither secrets nor models nor sub-devices changed. */
const isSame = (one: Family, other: Family): boolean =>
  one.length === other.length &&
  one.every(({ row, model }, index) => {
    const now = other[index]
    return now?.model === model && now.row.device_id === row.device_id && now.row.secret === row.secret
  })

async function findRows(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select device_id, product_id, device_name, secret, version, gateway_id
    from device left join gateway_device using (device_id)
    where is_simulated = 1 and is_enable = 1 order by device_id limit ${maxSimulated}`.execute(db)
  return rows.map((row) => ({ ...row, secret: open(db, places.device(row.product_id, row.device_name), row.secret) }))
}

/** Sub-devices of a gateway that is played too speak through it (device-protocol.md 6); all others for themselves. */
async function findFamilies(products: ProductCache, rows: Row[]): Promise<Map<number, Family>> {
  const ids = new Set(rows.map((row) => row.device_id))
  const families = new Map<number, Family>()
  const isCarried = (row: Row) => row.gateway_id !== null && ids.has(row.gateway_id)
  for (const row of [...rows.filter((row) => !isCarried(row)), ...rows.filter(isCarried)]) {
    const product = await products.get(row.product_id)
    const family = row.gateway_id === null ? undefined : families.get(row.gateway_id)
    if (!product) continue
    if (family) family.push({ row, model: product.model })
    else families.set(row.device_id, [{ row, model: product.model }])
  }
  return families
}

/** A product that is named without Chinese belongs to people who read English. */
const languageOf = ({ properties, events, actions }: ThingModel): 'zh' | 'en' =>
  [...properties, ...events, ...actions].some(({ name }) => /\p{Script=Han}/u.test(name)) ? 'zh' : 'en'

const toVirtual = ({ row, model }: Family[number], curves: SimulateOptions['curves'], calmMs: number): SubDevice => ({
  device: { productID: row.product_id, deviceName: row.device_name, secret: row.secret },
  model,
  options: {
    intervalMs: reportEveryMs,
    version: row.version || firstVersion,
    language: languageOf(model),
    ...(curves && { curves, intervalMs: calmMs, eventEveryMs: rareEventMs }),
  },
})

/** @returns a function that ends all of them */
export function startSimulation({ db, signal, products, log, url, curvesOf }: SimulationParts): () => Promise<void> {
  const running = new Map<number, Running>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()

  const start = (deviceID: number, family: Family, calmMs: number) => {
    const [first, ...children] = family.map((one) => toVirtual(one, curvesOf(one.row.product_id), calmMs))
    if (first) running.set(deviceID, { virtual: simulateDevice({ url, ...first, children }), family })
  }

  const end = async (deviceID: number) => {
    const one = running.get(deviceID)
    running.delete(deviceID)
    await one?.virtual.stop()
  }

  /** Starts what is missing, ends what is no longer wanted, and begins anew where the model has changed. */
  const follow = async () => {
    const rows = await findRows(db)
    const wanted = await findFamilies(products, rows)
    const calmMs = Math.max(reportEveryMs, rows.length * demoTurnMs)
    for (const deviceID of running.keys()) if (!wanted.has(deviceID)) await end(deviceID)
    for (const [deviceID, family] of wanted) {
      if (stopped) return
      const now = running.get(deviceID)
      if (now && isSame(now.family, family)) continue
      await end(deviceID)
      start(deviceID, family, calmMs)
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
