/** Devices that were away are sent to when they connect: told by presence, and looked up now and then. */
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import type { RowWriter } from './row-writer.ts'

const gatherMs = 100
const mostAtOnce = 1_000
/** Beyond this the sweep finds them. */
const mostWaiting = 100_000
const sweepMs = 60_000

export interface WakeParts extends Common<'db' | 'clock' | 'bus' | 'background'> {
  writer: RowWriter
  /** Rows are due. */
  woken(): void
}

export interface Wake {
  /** Once a minute, those whose word was lost on whichever server: devices that are there, or that are no more. */
  sweep(): Promise<void>
  start(): void
  stop(): Promise<void>
}

const wakeDevices = async (db: Db, devices: number[], now: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    with picked as (
      select id from rollout_device
      where state = 1 and due_at >= 9000000000000000 and device_id = any (${devices}) order by id for update
    )
    update rollout_device one set due_at = ${now}, msg = '', code = 0, updated_at = ${now} from picked
    where one.id = picked.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export function makeWake({ db, clock, bus, background, writer, woken }: WakeParts): Wake {
  const came = new Set<number>()
  let sweptAt = 0
  let stopped = false

  const loop = background.loop({
    name: 'rollouts.wake',
    async turn() {
      const devices = [...came].slice(0, mostAtOnce)
      for (const device of devices) came.delete(device)
      try {
        if ((await wakeDevices(db, devices, clock.now())) > 0) woken()
      } catch (error) {
        for (const device of devices) came.add(device)
        throw error
      }
      return came.size > 0 ? clock.now() + gatherMs : undefined
    },
  })
  const schedule = () => loop.wake(clock.now() + gatherMs)

  const sweep = async () => {
    const now = clock.now()
    if (now - sweptAt < sweepMs && now >= sweptAt) return
    const { rows } = await sql<{ device_id: number }>`
      select distinct parked.device_id from rollout_device parked join device using (device_id)
      where parked.state = 1 and parked.due_at >= 9000000000000000 and device.is_online = 1 limit ${mostWaiting}`.execute(
      db,
    )
    for (const { device_id } of rows) came.add(device_id)
    if (came.size > 0) schedule()
    const { rows: gone } = await sql<{ id: number }>`
      select parked.id from rollout_device parked
      where parked.state = 1 and parked.due_at >= 9000000000000000
        and not exists (select from device where device.device_id = parked.device_id) limit ${mostAtOnce}`.execute(db)
    await Promise.all(gone.map(({ id }) => writer.write({ id }, { type: 'gone' })))
    if (gone.length < mostAtOnce) sweptAt = now
  }

  const end = bus.on('device.presence', ({ device, online }) => {
    if (!online || stopped || came.size >= mostWaiting) return
    came.add(device.deviceID)
    schedule()
  })

  return {
    sweep,
    start: loop.start,
    async stop() {
      stopped = true
      end()
      await loop.stop()
    },
  }
}
