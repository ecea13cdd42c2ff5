import { dayMs } from '@ithings/contract/durations.ts'
import { DeliveryState } from '@ithings/contract/features/notify.ts'
import { sql } from 'kysely'
import { deleteInSteps } from '#db/delete-in-steps.ts'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const keepDays = 90

export const dropOldDeliveries = (db: Db, clock: Clock): Promise<number> =>
  deleteInSteps(
    db,
    'notify_delivery',
    'id',
    sql`created_at < ${clock.now() - keepDays * dayMs} and state <> ${DeliveryState.waiting} order by created_at`,
  )
