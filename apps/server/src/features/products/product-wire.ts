import type { Product } from '@ithings/contract/features/products.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import type { ProductCounts } from './product-counts.ts'
import type { ProductRow } from './store.ts'

/** Without the secret; only `read` adds it. */
export const toProduct = (row: ProductRow, counts: ProductCounts, imageLink: string): Product => ({
  productID: row.product_id,
  productName: row.product_name,
  productImg: imageLink,
  authMode: row.auth_mode,
  deviceType: row.device_type,
  categoryID: row.category_id,
  netType: row.net_type,
  dataProto: row.data_proto,
  autoRegister: row.auto_register,
  secret: '',
  desc: row.description,
  tags: row.tags,
  createdTime: toSecondsStr(row.created_at),
  devStatus: 0,
  isUpdateProductImg: false,
  dialect: row.dialect,
  valueDays: row.value_days,
  logDays: row.log_days,
  deviceCount: counts.devices,
  onlineCount: counts.online,
  propertyCount: counts.properties,
  eventCount: counts.events,
  actionCount: counts.actions,
  rev: row.rev,
})
