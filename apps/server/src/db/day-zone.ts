import { localZone } from '@ithings/contract/zone-days.ts'
import type { Db } from './schema.ts'

/** The zone whose days totals are counted by: a setting, by default that of the server. */
export async function readDayZone(db: Db): Promise<string> {
  const { time_zone } = await db.selectFrom('setting').select('time_zone').executeTakeFirstOrThrow()
  return time_zone || localZone()
}
