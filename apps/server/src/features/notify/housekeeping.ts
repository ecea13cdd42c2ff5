import { dayMs } from '@ithings/contract/durations.ts'
import { DeliveryState } from '@ithings/contract/features/notify.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const keepDays = 90
const stepRows = 5_000

export async function dropOldDeliveries(db: Db, clock: Clock): Promise<number> {
  const before = clock.now() - keepDays * dayMs
  let total = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from notify_delivery where id in
        (select id from notify_delivery where created_at < ${before} and state <> ${DeliveryState.waiting}
         order by created_at limit ${stepRows})`.execute(db)
    total += Number(numAffectedRows)
    if (numAffectedRows < stepRows) return total
  }
}
