import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createProduct, updateProduct } from '@ithings/contract/features/products.ts'
import type { Updateable } from 'kysely'
import type { ProductTable } from '#db/tables/products.ts'

type Settings = BodyOutput<typeof createProduct> | BodyOutput<typeof updateProduct>

/** The columns that creation and editing share; absent fields keep what is stored, or the default of the database. */
export function settingColumns(input: Settings) {
  const columns: Updateable<ProductTable> = {
    net_type: input.netType,
    auto_register: input.autoRegister,
    category_id: input.categoryID,
    dialect: input.dialect,
    value_days: input.valueDays,
    log_days: input.logDays,
    description: input.desc,
    tags: input.tags === undefined ? undefined : JSON.stringify(input.tags),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as typeof columns
}
