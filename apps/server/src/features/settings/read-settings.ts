import type { Settings } from '@ithings/contract/features/settings.ts'
import type { Db } from '#db/schema.ts'
import { readSettingRow } from './store.ts'

export async function readSettings(db: Db): Promise<Settings> {
  const row = await readSettingRow(db)
  return {
    title: row.title,
    logo: row.logo,
    loginLogDays: row.login_log_days,
    operationLogDays: row.operation_log_days,
    timeZone: row.time_zone,
    rev: row.rev,
  }
}
