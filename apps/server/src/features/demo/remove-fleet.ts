/** Takes the demo away: first it falls silent, then everything of it goes, last the counters are as they were. */
import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'kysely'
import { homeLock } from '#db/home-lock.ts'
import type { Db } from '#db/schema.ts'
import type { DemoDeps } from './demo-deps.ts'
import { itemsOf, settleWishes } from './items.ts'
import { findDemo } from './read-demo.ts'
import { tidyCounters } from './tidy-counters.ts'

/**
 * Figures of the large screen as they were before. Those of the demo's own time go too: they count its devices, and a
 * gap says less that is wrong than a fleet that nobody has.
 */
async function restoreFigures(db: Db): Promise<void> {
  const demo = await db.selectFrom('demo').select('from_at').where('from_at', '>', 0).executeTakeFirst()
  if (!demo) return
  for (const [figures, kept] of [
    ['home_sample', 'demo_sample'],
    ['home_message', 'demo_message'],
  ] as const) {
    await db.deleteFrom(figures).where('at', '>=', demo.from_at).execute()
    await sql`insert into ${sql.table(figures)} select * from ${sql.table(kept)} on conflict do nothing`.execute(db)
    await db.deleteFrom(kept).execute()
  }
  await db.updateTable('demo').set({ from_at: 0 }).execute()
}

export interface RemoveOptions {
  signal: AbortSignal
  progress?: (done: number, total: number) => Promise<void>
  /** What is loaded next has the same mark. */
  keepsMark?: boolean
}

/** A device that does not go is taken away while it speaks: nothing of it stays longer than some minutes then. */
const mostWaitMs = 30_000
const lookMs = 100
/** What was received before a device left is stored or refused by then (5 s, decisions.md 4). */
const settleMs = 5_500
const steps = 3

interface Owned {
  products: string[]
  groups: number[]
  scenes: number[]
  alarms: number[]
  deviceIDs: number[]
}

async function findOwned(db: Db): Promise<Owned> {
  const products = await itemsOf(db, 'product')
  const numbers = async (kind: 'group' | 'scene' | 'alarm') => (await itemsOf(db, kind)).map(Number)
  const { rows } = await sql<{ device_id: number }>`
    select device_id from device where product_id = any(${products}::text[])`.execute(db)
  return {
    products,
    groups: await numbers('group'),
    scenes: await numbers('scene'),
    alarms: await numbers('alarm'),
    deviceIDs: rows.map((row) => row.device_id),
  }
}

/** Nothing starts any more: scenes, runs, tasks, and the devices themselves. */
async function silence({ db, signal }: DemoDeps, { products, scenes }: Owned): Promise<void> {
  await sql`update scene set status = 2, next_run_at = null where id = any(${scenes}::integer[])`.execute(db)
  await signal.send('scene.changed', { sceneID: 0 })
  await sql`update device_task set is_enable = 2, next_run_at = null where product_id = any(${products}::text[])`.execute(
    db,
  )
  await sql`
    update rollout set state = 4 where product_id = any(${products}::text[]) and state not in (3, 4)`.execute(db)
  await sql`
    with held as materialized (
      select device_id from device where product_id = any(${products}::text[]) order by device_id for no key update
    )
    update device set is_simulated = 2, is_enable = 2 from held where device.device_id = held.device_id`.execute(db)
  for (const productID of products) await signal.send('device.changed', { productID, deviceName: '' })
}

/** Whoever was connected is sent away; what they said last arrives meanwhile. */
async function waitForSilence({ db }: DemoDeps, { deviceIDs }: Owned, signal: AbortSignal): Promise<void> {
  const connected = async () => {
    const { rows } = await sql`
      select from device_session where device_id = any(${deviceIDs}::bigint[]) limit 1`.execute(db)
    return rows.length > 0
  }
  // A demo that never went live has nothing on its way.
  if (!(await findDemo(db))?.complete && !(await connected())) return
  for (let waited = 0; waited < mostWaitMs && (await connected()); waited += lookMs) {
    await rest(lookMs, undefined, { signal })
  }
  await rest(settleMs, undefined, { signal })
}

async function removeFiles({ db, files }: DemoDeps, { products }: Owned): Promise<void> {
  const { rows } = await sql<{ path: string }>`
    select path from firmware_file join firmware using (firmware_id)
    where product_id = any(${products}::text[])
    union select product_img from product where product_id = any(${products}::text[]) and product_img <> ''`.execute(db)
  for (const { path } of rows) await files.remove(path)
}

async function deleteRows({ db: pool }: DemoDeps, owned: Owned): Promise<void> {
  const { products, groups, scenes, alarms, deviceIDs } = owned
  await pool.transaction().execute(async (db) => {
    // Nobody looks at the map meanwhile (features/home/work), so that no cell of it comes back.
    await sql`select pg_advisory_xact_lock(${homeLock('map')})`.execute(db)
    await sql`
      with held as materialized (
        select device_id from device where product_id = any(${products}::text[]) order by device_id for update
      )
      delete from device using held where device.device_id = held.device_id`.execute(db)
    for (const table of ['device_task', 'ota_task', 'rollout', 'notify_delivery', 'alarm_record', 'home_cell']) {
      await sql`delete from ${sql.table(table)} where product_id = any(${products}::text[])`.execute(db)
    }
    await sql`delete from alarm where id = any(${alarms}::integer[])`.execute(db)
    await sql`delete from scene where id = any(${scenes}::integer[])`.execute(db)
    // Groups that people put below come up to the top.
    await sql`
      update device_group set parent_id = 1
      where parent_id = any(${groups}::bigint[]) and group_id <> all(${groups}::bigint[])`.execute(db)
    await sql`delete from device_group where group_id = any(${groups}::bigint[])`.execute(db)
    await sql`delete from product where product_id = any(${products}::text[])`.execute(db)
    await sql`delete from device_tally where product_id = any(${products}::text[])`.execute(db)
    for (const table of ['home_away', 'home_silent', 'home_alert']) {
      await sql`delete from ${sql.table(table)} where device_id = any(${deviceIDs}::bigint[])`.execute(db)
    }
    await restoreFigures(db)
    await db.deleteFrom('demo_item').execute()
  })
}

async function tell({ signal, bus }: DemoDeps, { products }: Owned): Promise<void> {
  for (const productID of products) {
    await signal.send('product.changed', { productID })
    await signal.send('device.changed', { productID, deviceName: '' })
  }
  await signal.send('scene.changed', { sceneID: 0 })
  await signal.send('group.changed', {})
  bus.emit('alarm.changed', { recordIDs: [], opened: false })
  bus.emit('home.changed', {})
}

/**
 * Can begin again at any point: the marks go together with what they name. It stops nowhere between there and the end,
 * for what comes after is found by those marks only.
 */
export async function removeFleet(deps: DemoDeps, options: RemoveOptions): Promise<void> {
  const { signal, progress = async () => signal.throwIfAborted(), keepsMark = false } = options
  await settleWishes(deps.db)
  const owned = await findOwned(deps.db)
  if (owned.products.length > 0) {
    await progress(0, steps)
    await silence(deps, owned)
    await progress(1, steps)
    await waitForSilence(deps, owned, signal)
    await progress(2, steps)
    await removeFiles(deps, owned)
    await deleteRows(deps, owned)
    await deps.backfill.remove(owned.deviceIDs)
    for (const deviceID of owned.deviceIDs) await deps.latest.forget(deviceID)
    await tell(deps, owned)
  }
  // Also when a try before was cut off just here.
  await tidyCounters(deps.db)
  if (!keepsMark) await deps.db.deleteFrom('demo').execute()
}
