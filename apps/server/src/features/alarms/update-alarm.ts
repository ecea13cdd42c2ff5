import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { AlarmStatus, updateAlarm as endpoint } from '@ithings/contract/features/alarms/config.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { lockAlarm, nameConflicts, requireChannels } from './store.ts'

/**
 * Existing consoles toggle by sending the whole row they read, which carries both names, with one of them changed
 * (rules.md 5): of two that differ the one that is new counts.
 */
function statusAsked({ state, status }: { state?: AlarmStatus; status?: AlarmStatus }, current: number): number {
  const changed = [state, status].find((asked) => asked !== undefined && asked !== current)
  return changed ?? current
}

export async function updateAlarm({ db: pool }: AlarmsDeps, input: BodyOutput<typeof endpoint>): Promise<void> {
  const { id, name, level, desc, notify, rev } = input
  await nameConflicts(
    name ?? '',
    pool.transaction().execute(async (db) => {
      const alarm = await lockAlarm(db, id)
      refuseStaleEdit(rev, alarm.rev)
      await requireChannels(db, notify?.channelIDs ?? [])
      await db
        .updateTable('alarm')
        .set({
          ...(name === undefined ? {} : { name }),
          ...(level === undefined ? {} : { level }),
          ...(typeof desc === 'string' ? { description: desc } : {}),
          ...(notify === undefined ? {} : { notify: jsonText(notify) }),
          status: statusAsked(input, alarm.status),
          rev: sql`rev + 1`,
        })
        .where('id', '=', id)
        .execute()
    }),
  )
}
