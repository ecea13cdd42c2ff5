import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type countDevices as countEndpoint, DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { isTallied, resolveScope, scopeCondition, tallyCondition } from './device-scope.ts'

interface CountRow {
  status: number
  device_type: number | null
  devices: number
}

/** spec 4: the three states are disjoint. startTime and endTime (seconds) are about the last sign-in. */
export async function countDevices(db: Db, input: BodyOutput<typeof countEndpoint>) {
  const { startTime, endTime, ...filter } = input
  const scope = await resolveScope(db, filter)
  if (startTime) scope.others.push(sql<boolean>`last_login >= to_timestamp(${startTime})`)
  if (endTime) scope.others.push(sql<boolean>`last_login <= to_timestamp(${endTime})`)
  const counted = !isTallied(scope)
    ? sql`select product_id, status, count(*) as devices from device where ${scopeCondition(scope)} group by 1, 2`
    : sql`select product_id, status, sum(devices) as devices from device_tally where ${tallyCondition(scope)} group by 1, 2`
  const { rows } = scope.empty
    ? { rows: [] }
    : await sql<CountRow>`
        select counted.status, product.device_type, sum(counted.devices)::bigint as devices
        from (${counted}) counted left join product using (product_id)
        group by counted.status, product.device_type`.execute(db)
  const sum = (matches: (row: CountRow) => boolean) =>
    rows.filter(matches).reduce((total, row) => total + row.devices, 0)
  const known: number[] = Object.values(DeviceType)
  return {
    deviceCount: {
      online: sum((row) => row.status === DeviceStatus.online),
      offline: sum((row) => row.status === DeviceStatus.offline),
      inactive: sum((row) => row.status === DeviceStatus.inactive),
      unknown: 0,
    },
    deviceTypeCount: {
      device: sum((row) => row.device_type === DeviceType.device),
      gateway: sum((row) => row.device_type === DeviceType.gateway),
      subset: sum((row) => row.device_type === DeviceType.subDevice),
      unknown: sum((row) => !known.includes(row.device_type ?? 0)),
    },
  }
}
