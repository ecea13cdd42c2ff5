import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listProducts as endpoint, productSortFields } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { asked, containsPattern, fetchPage } from '#db/page.ts'
import { countsOf } from './product-counts.ts'
import { imageLink } from './product-image.ts'
import { toProduct } from './product-wire.ts'
import type { ProductsDeps } from './products-deps.ts'

const deviceCount = sql<number>`(select coalesce(sum(devices), 0) from device_tally t where t.product_id = product.product_id)`

const columns = {
  productName: 'product_name',
  productID: 'product_id',
  deviceType: 'device_type',
  netType: 'net_type',
  createdTime: 'created_at',
  deviceCount,
} as const satisfies Record<(typeof productSortFields)[number], unknown>

export async function listProducts(deps: ProductsDeps, input: BodyOutput<typeof endpoint>) {
  const { productName, deviceType, netType, productIDs, tags } = input
  const pattern = containsPattern(productName ?? '')
  const filtered = deps.db
    .selectFrom('product')
    .$if(productName !== undefined, (q) =>
      q.where((eb) => eb.or([eb('product_name', 'ilike', pattern), eb('product_id', 'ilike', pattern)])),
    )
    .where((eb) => asked(eb, { equal: { device_type: deviceType, net_type: netType } }))
    // An empty list comes from consoles that cleared their choice: no filter.
    .$if(productIDs !== undefined && productIDs.length > 0, (q) => q.where('product_id', 'in', productIDs ?? []))
    .$if(tags !== undefined && tags.length > 0, (q) => q.where(sql<boolean>`tags @> ${JSON.stringify(tags)}::jsonb`))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: sql`created_at desc, product_id`, desc: true },
  })
  const counts = await countsOf(
    deps.db,
    page.list.map((row) => row.product_id),
  )
  const list = page.list.map((row) => toProduct(row, counts(row.product_id), imageLink(deps, row.product_img)))
  return { list, total: page.total, num: page.total }
}
