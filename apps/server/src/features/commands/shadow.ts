/** Desired values (device-protocol.md 5 "Shadow"): kept for a device that is away, delivered when it asks for its state. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { deleteShadow as deleteEndpoint, listShadow as listEndpoint } from '@ithings/contract/features/commands.ts'
import { hasShadow } from '@ithings/contract/thing-model/model.ts'
import { valueText } from '@ithings/contract/thing-model/values.ts'
import { sql } from 'kysely'
import { runPrepared } from '#db/run-prepared.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CommandsDeps } from './commands-deps.ts'
import { findTarget } from './find-target.ts'
import type { Values } from './read-order.ts'

interface Desired {
  values: Values
  setBy: string
  setAt: number
}

/** A newer wish takes the place of an older one, delivered or not. */
export async function setDesired(db: Db, device: DeviceRef, { values, setBy, setAt }: Desired): Promise<void> {
  await db
    .insertInto('device_shadow')
    .values(
      Object.entries(values).map(([property, value]) => ({
        device_id: device.deviceID,
        property,
        value: JSON.stringify(value),
        set_at: setAt,
        set_by: setBy,
        delivered_at: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['device_id', 'property']).doUpdateSet((eb) => ({
        value: eb.ref('excluded.value'),
        set_at: eb.ref('excluded.set_at'),
        set_by: eb.ref('excluded.set_by'),
        delivered_at: 0,
      })),
    )
    .execute()
}

const ofProperties = (dataIDs: string[] | null | undefined) =>
  dataIDs && dataIDs.length > 0 ? sql<boolean>`property = any(${dataIDs}::text[])` : sql<boolean>`true`

export async function listShadow({ db }: CommandsDeps, input: BodyOutput<typeof listEndpoint>) {
  const { deviceID } = await findTarget(db, input)
  const rows = await db
    .selectFrom('device_shadow')
    .selectAll()
    .where('device_id', '=', deviceID)
    .where(ofProperties(input.dataIDs))
    .orderBy('property')
    .execute()
  return {
    list: rows.map((row) => ({
      dataID: row.property,
      value: valueText(row.value),
      updatedDeviceTime: row.delivered_at,
      setTime: row.set_at,
      userName: row.set_by,
    })),
  }
}

/** What is not there needs no clearing. */
export async function deleteShadow({ db, bus }: CommandsDeps, input: BodyOutput<typeof deleteEndpoint>): Promise<void> {
  const device = await findTarget(db, input)
  const { numDeletedRows } = await db
    .deleteFrom('device_shadow')
    .where('device_id', '=', device.deviceID)
    .where(ofProperties(input.dataIDs))
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) bus.emit('shadow.changed', { device })
}

/** A command that the device has carried out is newer than a wish from before: that one must not undo it later. */
export async function dropOvertaken(db: Db, deviceID: number, values: Values, sentAt: number): Promise<boolean> {
  const statement = db
    .deleteFrom('device_shadow')
    .where('device_id', '=', deviceID)
    .where(ofProperties(Object.keys(values)))
    .where('delivered_at', '=', 0)
    .where('set_at', '<=', sentAt)
  const { numAffectedRows = 0n } = await runPrepared(db, statement)
  return numAffectedRows > 0n
}

interface WaitingRow {
  property: string
  value: unknown
  set_at: number
  product_id: string
  device_name: string
}

export interface TakenDesired {
  values: Values
  /** Call it when the values are stored as reported: until then they wait, so that a crash loses none. */
  delivered(): Promise<void>
}

const nothingWaits: TakenDesired = { values: {}, delivered: async () => {} }

/** @param identifiers what the device asks for; absent: everything */
export async function takeDesired(deps: CommandsDeps, deviceID: number, identifiers?: string[]): Promise<TakenDesired> {
  const { rows } = await sql<WaitingRow>`
    select s.property, s.value, s.set_at, d.product_id, d.device_name
    from device_shadow s join device d using (device_id)
    where s.device_id = ${deviceID} and s.delivered_at = 0 and ${ofProperties(identifiers)}
    order by s.property`.execute(deps.db)
  const [first] = rows
  const product = first && (await deps.products.get(first.product_id))
  if (!product) return nothingWaits
  const values: Values = {}
  const taken: WaitingRow[] = []
  for (const row of rows) {
    // The model may have changed since: what no longer fits is not sent, and stays to be seen and cleared.
    const known = product.properties.get(row.property)
    if (!known || !hasShadow(known.property)) continue
    const result = known.command(row.value, row.property)
    if (!result.ok) continue
    values[row.property] = result.value
    taken.push(row)
  }
  if (taken.length === 0) return nothingWaits
  const device = { productID: first.product_id, deviceName: first.device_name, deviceID }
  return { values, delivered: () => markDelivered(deps, device, taken) }
}

/** A wish that was changed meanwhile still waits. */
async function markDelivered({ db, clock, bus }: CommandsDeps, device: DeviceRef, taken: WaitingRow[]): Promise<void> {
  await sql`
    update device_shadow s set delivered_at = ${clock.now()}
    from unnest(${taken.map((row) => row.property)}::text[], ${taken.map((row) => row.set_at)}::bigint[])
      as taken (property, set_at)
    where s.device_id = ${device.deviceID} and s.property = taken.property and s.set_at = taken.set_at
      and s.delivered_at = 0`.execute(db)
  bus.emit('shadow.changed', { device })
}
