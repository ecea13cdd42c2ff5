import type { DataOf } from '@ithings/contract/endpoint.ts'
import { DeviceStatus } from '@ithings/contract/features/devices/info.ts'
import type { readFirstSteps as endpoint } from '@ithings/contract/features/home.ts'
import { sql } from 'kysely'
import type { HomeDeps } from './home-deps.ts'
import { visiblePartsOf } from './visible-parts.ts'

interface StepRow {
  model: boolean
  connected: boolean
  value: boolean
  product_id: string | null
  modelled_id: string | null
  device_product: string | null
  device_name: string | null
}

/**
 * What has really happened, each by one look into an index or the tally: a million devices that never came are not
 * looked at. The next step goes on with the newest device, else with the newest product that has a model, else with the
 * newest product.
 */
export async function readFirstSteps(deps: HomeDeps, role: number): Promise<DataOf<typeof endpoint>> {
  const { db, hasDemo } = deps
  const { sees } = await visiblePartsOf(deps, role)
  const { rows } = await sql<StepRow>`
    select
      exists (select from product_function) as model,
      coalesce((select sum(devices) from device_tally where status <> ${sql.lit(DeviceStatus.inactive)}), 0) > 0 as connected,
      exists (select from device_latest where properties <> '{}') as value,
      (select product_id from product order by created_at desc, product_id limit 1) as product_id,
      (select product_id from product where exists (
        select from product_function where product_function.product_id = product.product_id)
        order by created_at desc, product_id limit 1) as modelled_id,
      newest.product_id as device_product, newest.device_name
    from (select 1) one left join (
      select product_id, device_name from device order by created_at desc, device_id desc limit 1) newest on true`.execute(
    db,
  )
  const [row] = rows
  const product = row?.product_id ?? ''
  return {
    product: product !== '',
    model: row?.model ?? false,
    device: typeof row?.device_name === 'string',
    connected: row?.connected ?? false,
    value: row?.value ?? false,
    productID: sees('product') ? (sees('device') && row?.device_product) || (row?.modelled_id ?? product) : '',
    deviceName: sees('device', 'product') ? (row?.device_name ?? '') : '',
    demo: await hasDemo(),
  }
}
