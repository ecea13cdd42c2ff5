/** Which records a list, a count or a bulk action speaks of. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type countAlarmRecords, DealState } from '@ithings/contract/features/alarms/record.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { devicesWithWord } from '#features/devices/door.ts'
import { firedWithin } from './time-range.ts'

type RecordFilter = BodyOutput<typeof countAlarmRecords>

export interface Asker {
  userID: number
  now: number
}

/** Of an open record: past its limit. */
export const isLate = (now: number) => sql<boolean>`(due_at > 0 and due_at < ${now})`

/** The device's alias is what people see, so it is looked at, too. */
async function hasKeyword(db: Db, keyword: string, productID: string | undefined): Promise<RawBuilder<boolean>> {
  const pattern = containsPattern(keyword)
  const devices = await devicesWithWord(db, ['alias'], keyword, productID ? [productID] : undefined)
  const byAlias = devices
    ? sql`or (product_id, device_name) in
        (select d.product_id, d.device_name from device d where d.device_id in (${devices}))`
    : sql``
  return sql<boolean>`(device_name ilike ${pattern}
    or alarm_id in (select id from alarm where name ilike ${pattern}) ${byAlias})`
}

/** Products and a device of one are found exactly; the name of a device alone by a part, as everywhere. */
const hasDevice = (deviceName: string, productID: string | undefined) =>
  productID ? sql<boolean>`device_name = ${deviceName}` : sql<boolean>`device_name ilike ${containsPattern(deviceName)}`

const isOneOf = (devices: readonly DeviceKey[]) =>
  sql<boolean>`(product_id, device_name) in (select * from unnest(
    ${devices.map(({ productID }) => productID)}::text[], ${devices.map(({ deviceName }) => deviceName)}::text[]))`

function conditions(filter: RecordFilter, { userID, now }: Asker): Array<RawBuilder<boolean>> {
  const { alarmID, dealState, levels, productID, deviceName, sceneID, recordIDs, devices } = filter
  return [
    ...(alarmID ? [sql<boolean>`alarm_id = ${alarmID}::bigint`] : []),
    // Written out: the planner then knows the indexes of open records fit.
    ...(dealState ? [sql<boolean>`deal_state = ${sql.lit(dealState)}`] : []),
    ...(levels && levels.length > 0 ? [sql<boolean>`level = any(${levels}::int[])`] : []),
    ...(productID ? [sql<boolean>`product_id = ${productID}`] : []),
    ...(deviceName ? [hasDevice(deviceName, productID)] : []),
    ...(sceneID ? [sql<boolean>`scene_id = ${sceneID}::bigint`] : []),
    ...firedWithin(filter.timeRange),
    ...(filter.mine ? [sql<boolean>`claim_user_id = ${userID}`] : []),
    ...(filter.overdue ? [sql<boolean>`deal_state = ${sql.lit(DealState.alarming)}`, isLate(now)] : []),
    ...(recordIDs && recordIDs.length > 0 ? [sql<boolean>`alarm_record.id = any(${recordIDs}::bigint[])`] : []),
    ...(devices ? [isOneOf(devices)] : []),
  ]
}

export async function recordCondition(db: Db, filter: RecordFilter, asker: Asker): Promise<RawBuilder<boolean>> {
  const { keyword, productID } = filter
  const found = keyword ? [await hasKeyword(db, keyword, productID)] : []
  return sql<boolean>`${sql.join([sql`true`, ...conditions(filter, asker), ...found], sql` and `)}`
}
