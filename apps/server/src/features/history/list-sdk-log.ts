import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listSdkLog as endpoint } from '@ithings/contract/features/history.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { asked, fetchPage } from '#db/page.ts'
import { findDevices, findProductModel } from './find-devices.ts'
import type { HistoryDeps } from './history-deps.ts'
import { withinQueryLimit } from './limited-query.ts'

/** What devices logged themselves, newest first. */
export async function listSdkLog(deps: HistoryDeps, input: BodyOutput<typeof endpoint>) {
  const { productID, deviceName, deviceNames = [], logLevel, content, timeStart, timeEnd } = input
  await findProductModel(deps, productID)
  const names = [...(deviceName === undefined ? [] : [deviceName]), ...deviceNames]
  const devices = names.length > 0 ? await findDevices(deps, productID, names) : undefined
  const page = await withinQueryLimit(deps.db, (db) => {
    const filtered = db
      .selectFrom('sdk_log')
      .innerJoin('device', 'device.device_id', 'sdk_log.device_id')
      .where('sdk_log.product_id', '=', productID)
      .$if(devices !== undefined, (q) =>
        q.where('sdk_log.device_id', 'in', devices?.map((device) => device.deviceID) ?? []),
      )
      .where((eb) => asked(eb, { equal: { 'sdk_log.log_level': logLevel }, contains: { content } }))
      .$if(!!timeStart, (q) => q.where('at', '>=', timeStart ?? 0))
      .$if(!!timeEnd, (q) => q.where('at', '<', timeEnd ?? 0))
    return fetchPage(
      filtered,
      (q) => q.select(['sdk_log.id', 'at', 'sdk_log.log_level', 'content', 'device.device_name']).orderBy('at', 'desc'),
      input.page && { ...input.page, orders: [] },
      { columns: {}, fallback: { column: 'sdk_log.id', desc: true }, window: historyWindow },
    )
  })
  return {
    total: page.total,
    list: page.list.map((row) => ({
      timestamp: toStr(row.at),
      loglevel: row.log_level,
      content: row.content,
      deviceName: row.device_name,
    })),
  }
}
