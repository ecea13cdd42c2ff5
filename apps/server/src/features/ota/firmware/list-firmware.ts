import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listFirmware as endpoint, firmwareSortFields } from '@ithings/contract/features/ota/firmware.ts'
import { sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { toWire } from './firmware-wire.ts'

/** 1.10.0 comes after 1.9.0: by its numbers, then by the text behind them. */
const byVersion = sql`string_to_array(split_part(version, '-', 1), '.')::integer[]`

const columns = {
  name: 'name',
  version: byVersion,
  createdTime: 'created_at',
  size: 'size',
} as const satisfies Record<(typeof firmwareSortFields)[number], unknown>

const atSecond = (seconds: number): Date => new Date(seconds * 1000)

export async function listFirmware({ db }: FirmwareDeps, input: BodyOutput<typeof endpoint>) {
  const { productID, name, version, module, timeStart, timeEnd } = input
  const filtered = db
    .selectFrom('firmware')
    .where('deleted_at', 'is', null)
    .where((eb) => asked(eb, { equal: { product_id: productID, module }, contains: { name, version } }))
    // Existing consoles send 0 for "open".
    .$if(Boolean(timeStart), (q) => q.where('created_at', '>=', atSecond(timeStart ?? 0)))
    .$if(Boolean(timeEnd), (q) => q.where('created_at', '<', atSecond((timeEnd ?? 0) + 1)))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'firmware_id', desc: true },
  })
  return { list: await toWire(db, page.list), total: page.total }
}
