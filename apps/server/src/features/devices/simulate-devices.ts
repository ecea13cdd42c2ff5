/** Which devices the platform plays itself; app/simulation.ts runs them. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { type simulateDevices as endpoint, maxByFilter, maxSimulated } from '@ithings/contract/features/devices/bulk.ts'
import { type DeviceKey, YesNo } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { announceDevices } from './announce-devices.ts'
import { bulkResult } from './bulk-result.ts'
import { findByKeys, unknownDevice } from './device-keys.ts'
import type { DevicesDeps } from './devices-deps.ts'
import type { FilteredWork } from './filtered-work.ts'

const throughGateway = () => new AppError(errors.parameter, { msg: phrase('子设备通过网关接入，不能单独模拟') })

/** Those that are simulated already are no more. */
async function refuseTooMany(db: Db, ids: number[]): Promise<void> {
  const { rows } = await sql<{ running: number }>`
    select count(*)::int as running from device
    where is_simulated = 1 and not device_id = any(${ids}::bigint[])`.execute(db)
  const running = rows[0]?.running ?? 0
  if (running + ids.length <= maxSimulated) return
  throw new AppError(errors.quota, {
    msg: phrase('最多同时模拟 {maxSimulated} 台设备，已有 {running} 台', { maxSimulated, running }),
  })
}

type Wish = Omit<BodyOutput<typeof endpoint>, 'filter'>

export const simulateWork: FilteredWork<Wish> = {
  kind: 'device.simulate',
  act: simulateDevices,
  limit: ({ on }) => (on ? maxSimulated : maxByFilter),
}

export async function simulateDevices(deps: DevicesDeps, { list = [], on }: Wish) {
  const { found, missing } = await findByKeys(deps.db, list)
  const failed: Array<readonly [DeviceKey, AppError]> = missing.map((key) => [key, unknownDevice(key)])
  const fit = found.filter((one) => !on || one.deviceType !== DeviceType.subDevice)
  for (const one of found) if (!fit.includes(one)) failed.push([one, throughGateway()])
  const ids = fit.map((one) => one.deviceID)
  if (on) await refuseTooMany(deps.db, ids)
  await sql`
    update device set is_simulated = ${on ? YesNo.yes : YesNo.no} from (
      select device_id from device where device_id = any (${ids}::bigint[])
      order by device_id for no key update
    ) as chosen where device.device_id = chosen.device_id`.execute(deps.db)
  await announceDevices(deps.signal, fit)
  return bulkResult(fit.length, failed)
}
