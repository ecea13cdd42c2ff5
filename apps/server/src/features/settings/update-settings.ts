import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateSettings as endpoint } from '@ithings/contract/features/settings.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { SettingsDeps } from './settings-deps.ts'
import { lockSettingRow } from './store.ts'

/** Absent fields stay as they are. */
export async function updateSettings(deps: SettingsDeps, input: BodyOutput<typeof endpoint>) {
  await deps.db.transaction().execute(async (db) => {
    const row = await lockSettingRow(db)
    refuseStaleEdit(input.rev, row.rev)
    await db
      .updateTable('setting')
      .set({
        title: input.title ?? row.title,
        logo: input.logo ?? row.logo,
        login_log_days: input.loginLogDays ?? row.login_log_days,
        operation_log_days: input.operationLogDays ?? row.operation_log_days,
        time_zone: input.timeZone ?? row.time_zone,
        rev: sql`rev + 1`,
      })
      .where('id', '=', row.id)
      .execute()
  })
  await deps.signal.send('settings.changed', {})
}
