import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type listConfigProducts as endpoint, HasConfig } from '@ithings/contract/features/remote-config.ts'
import { sql } from 'kysely'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'

const configTime = sql<number>`(
  select coalesce(max(extract(epoch from created_at)::bigint), 0) from remote_config
  where remote_config.product_id = product.product_id)`
const hasConfig = sql<boolean>`exists (select 1 from remote_config where remote_config.product_id = product.product_id)`

const columns = { productName: 'product_name', createdTime: 'created_at', configTime } as const

/** Products with a configuration first, the one that changed last on top. */
export async function listConfigProducts(db: Db, input: BodyOutput<typeof endpoint>) {
  const pattern = containsPattern(input.productName ?? '')
  const filtered = db
    .selectFrom('product')
    .$if(input.productName !== undefined, (q) =>
      q.where((eb) => eb.or([eb('product_name', 'ilike', pattern), eb('product_id', 'ilike', pattern)])),
    )
    .$if(input.hasConfig === HasConfig.yes, (q) => q.where(hasConfig))
    .$if(input.hasConfig === HasConfig.no, (q) => q.where(sql<boolean>`not ${hasConfig}`))
  const page = await fetchPage(
    filtered,
    (q) => q.select(['product_id', 'product_name', 'device_type', configTime.as('config_time')]),
    input.page,
    { columns, fallback: { column: sql`${configTime} desc, created_at desc, product_id`, desc: true } },
  )
  const counts = await countsOf(
    db,
    page.list.map((row) => row.product_id),
  )
  const list = page.list.map((row) => {
    const { devices = 0, versions = 0, newest = 0 } = counts.get(row.product_id) ?? {}
    return {
      productID: row.product_id,
      productName: row.product_name,
      deviceType: row.device_type,
      deviceCount: devices,
      configID: newest,
      configTime: String(row.config_time),
      versions,
    }
  })
  return { list, total: page.total }
}

async function countsOf(db: Db, productIDs: string[]) {
  const { rows } = await sql<{ product_id: string; devices: number; versions: number; newest: number }>`
    select asked.product_id,
      (select coalesce(sum(devices), 0)::bigint from device_tally t where t.product_id = asked.product_id) as devices,
      (select count(*) from remote_config c where c.product_id = asked.product_id) as versions,
      (select coalesce(max(id), 0) from remote_config c where c.product_id = asked.product_id) as newest
    from unnest(${productIDs}::text[]) as asked (product_id)`.execute(db)
  return new Map(rows.map((row) => [row.product_id, row]))
}
