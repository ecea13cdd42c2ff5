import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type ConfigVersion,
  configBytes,
  type readLatestConfig as latestEndpoint,
  type listConfigs as listEndpoint,
} from '@ithings/contract/features/remote-config.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { findLatest, unknownProduct, type VersionRow } from './store.ts'

const toVersion = (row: VersionRow): ConfigVersion => ({
  id: row.id,
  content: row.content,
  createTime: toSecondsStr(row.created_at),
  note: row.note,
  bytes: configBytes(row.content),
  userName: row.user_name,
  restoredFrom: row.restored_from,
})

/** http-api.md 3.4: none yet is no failure, existing consoles wait for an answer. */
const noVersion: ConfigVersion = {
  id: 0,
  content: '',
  createTime: '0',
  note: '',
  bytes: 0,
  userName: '',
  restoredFrom: 0,
}

const columns = { id: 'id', createTime: 'created_at', bytes: sql<number>`octet_length(content)` } as const

/** Rows carry their texts (http-api.md 3.4): a page of 2,000 could weigh 128 MB. */
const mostRows = 100

/** Newest first. */
export async function listConfigs(
  { db, products }: RemoteConfigDeps,
  { productID, configID, page }: BodyOutput<typeof listEndpoint>,
) {
  if (!(await products.get(productID))) throw unknownProduct(productID)
  const filtered = db
    .selectFrom('remote_config')
    .where((eb) => asked(eb, { equal: { product_id: productID, id: configID } }))
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
  { db, products }: RemoteConfigDeps,
  { productID }: BodyOutput<typeof latestEndpoint>,
) {
  if (!(await products.get(productID))) throw unknownProduct(productID)
  const row = await findLatest(db, productID)
  return row ? toVersion(row) : noVersion
}
