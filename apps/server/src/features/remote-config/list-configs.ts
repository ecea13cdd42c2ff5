import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type {
  readLatestConfig as latestEndpoint,
  listConfigs as listEndpoint,
} from '@ithings/contract/features/remote-config.ts'
import { sql } from 'kysely'
import { fetchPage } from '#db/page.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'
import { findLatest, unknownProduct } from './store.ts'
import { noVersion, toVersion } from './version-wire.ts'

const columns = { id: 'id', createTime: 'created_at', bytes: sql<number>`octet_length(content)` } as const

/** Rows carry their texts (http-api.md 3.4): a page of 2,000 could weigh 128 MB. */
const mostRows = 100

/** Newest first. */
export async function listConfigs(
  { db, products }: RemoteConfigKit,
  { productID, configID, page }: BodyOutput<typeof listEndpoint>,
) {
  if (!(await products.get(productID))) throw unknownProduct(productID)
  const filtered = db
    .selectFrom('remote_config')
    .where('product_id', '=', productID)
    .$if(configID !== undefined, (q) => q.where('id', '=', configID ?? 0))
  const size = Math.min(page?.size || mostRows, mostRows)
  const found = await fetchPage(
    filtered,
    (q) => q.selectAll(),
    { ...page, size },
    {
      columns,
      fallback: { column: 'id', desc: true },
    },
  )
  return { list: found.list.map(toVersion), total: found.total }
}

export async function readLatestConfig(
  { db, products }: RemoteConfigKit,
  { productID }: BodyOutput<typeof latestEndpoint>,
) {
  if (!(await products.get(productID))) throw unknownProduct(productID)
  const row = await findLatest(db, productID)
  return row ? toVersion(row) : noVersion
}
