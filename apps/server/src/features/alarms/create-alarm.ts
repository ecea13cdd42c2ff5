import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { AlarmStatus, type createAlarm as endpoint } from '@ithings/contract/features/alarms/config.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import { notifyOf } from './alarm-wire.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { nameConflicts, requireChannels } from './store.ts'

/** Consoles ask for all of them by id at once (http-api.md 6), so they have an end. */
const maxAlarms = 10_000

type Input = BodyOutput<typeof endpoint>

/** @param db a transaction, which may hold more than the alarm */
export function insertAlarm({ clock }: Pick<AlarmsDeps, 'clock'>, db: Db, input: Input): Promise<{ id: number }> {
  const { name, level, desc, notify } = input
  const insert = async () => {
    await requireChannels(db, notify?.channelIDs ?? [])
    const { alarms } = await db.selectFrom('alarm').select(sql<number>`count(*)`.as('alarms')).executeTakeFirstOrThrow()
    if (alarms >= maxAlarms)
      throw new AppError(errors.quota, { msg: phrase('告警数量已达上限 {maxAlarms}', { maxAlarms }) })
    return db
      .insertInto('alarm')
      .values({
        name,
        level,
        description: desc ?? '',
        status: input.state ?? input.status ?? AlarmStatus.enabled,
        notify: jsonText(notifyOf(notify ?? {})),
        created_at: new Date(clock.now()),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  }
  return nameConflicts(name, insert())
}

export const createAlarm = (deps: AlarmsDeps, input: Input): Promise<{ id: number }> =>
  deps.db.transaction().execute((db) => insertAlarm(deps, db, input))
