import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { RemoteConfigTable } from '#db/tables/remote-config.ts'
import { RowState } from '#features/rollouts/door.ts'

export type VersionRow = Selectable<RemoteConfigTable>

export const unknownProduct = (productID: string) =>
  refusal(errors.notFound, '产品 {productID} 不存在', { productID }, { field: 'productID' })

export const findLatest = (db: Db, productID: string): Promise<VersionRow | undefined> =>
  db
    .selectFrom('remote_config')
    .selectAll()
    .where('product_id', '=', productID)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

const findVersion = (db: Db, productID: string, configID: number): Promise<VersionRow | undefined> =>
  db
    .selectFrom('remote_config')
    .selectAll()
    .where('product_id', '=', productID)
    .where('id', '=', configID)
    .executeTakeFirst()

/** @param configID undefined or 0: the newest */
export async function requireVersion(db: Db, productID: string, configID?: number): Promise<VersionRow> {
  const row = await (configID ? findVersion(db, productID, configID) : findLatest(db, productID))
  if (row) return row
  throw new AppError(errors.notFound, {
    detail: configID
      ? phrase('产品 {productID} 没有编号为 {configID} 的远程配置', { productID, configID })
      : phrase('产品 {productID} 没有远程配置', { productID }),
    field: configID ? 'id' : 'productID',
  })
}

/**
 * What the device got last; a device that was deleted meanwhile leaves nothing.
 * @param rising of two pushes at the same time the newer version counts, whichever is noted last
 */
export async function noteDelivered(
  db: Db,
  { deviceID, configID, at }: { deviceID: number; configID: number; at: number },
  rising = false,
): Promise<void> {
  const kept = rising ? sql`greatest(device_config.config_id, excluded.config_id)` : sql`excluded.config_id`
  await sql`
    insert into device_config (device_id, config_id, delivered_at)
    select device_id, ${configID}, ${at} from device where device_id = ${deviceID}
    on conflict (device_id) do update set config_id = ${kept}, delivered_at = excluded.delivered_at`.execute(db)
}

/** The newest version that the device got or is getting from a push; 0: none. */
export async function newestOnItsWay(db: Db, deviceID: number): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select greatest(
      (select config_id from device_config where device_id = ${deviceID}),
      (select max(run.owner_id) from rollout_device row join rollout run using (run_id)
       where row.device_id = ${deviceID} and row.state = ${sql.lit(RowState.sent)} and run.kind = 'config')
    ) as newest`.execute(db)
  return rows[0]?.newest ?? 0
}

/** 0: it never got one. */
export async function versionOfDevice(db: Db, deviceID: number): Promise<number> {
  const row = await db
    .selectFrom('device_config')
    .select('config_id')
    .where('device_id', '=', deviceID)
    .executeTakeFirst()
  return row?.config_id ?? 0
}

/** One version, one push of a product after the other. Needs a transaction. */
export async function lockProduct(db: Db, productID: string): Promise<void> {
  const row = await db
    .selectFrom('product')
    .select('product_id')
    .where('product_id', '=', productID)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw unknownProduct(productID)
}
