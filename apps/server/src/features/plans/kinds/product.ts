import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  AuthMode,
  AutoRegister,
  createProduct,
  createProductBody,
  DataProto,
  DeviceType,
  Dialect,
  defaultLogDays,
  defaultValueDays,
  deleteProduct,
  NetType,
  readProduct,
  updateProduct,
} from '@ithings/contract/features/products.ts'
import { phrase } from '@ithings/contract/text.ts'
import { int, oneOf, tagsInput, text } from '@ithings/contract/wire.ts'
import * as z from 'zod'
import type { Kind } from './kind.ts'
import { readSpec } from './read-spec.ts'

/** The picture is a file of its own and the secret is nobody's business: neither is here, and both stay. */
const schema = z.object({
  productName: text(64, 1),
  deviceType: oneOf(DeviceType).default(DeviceType.device),
  authMode: oneOf(AuthMode).default(AuthMode.password),
  dataProto: oneOf(DataProto).default(DataProto.custom),
  netType: oneOf(NetType).default(NetType.other),
  autoRegister: oneOf(AutoRegister).default(AutoRegister.off),
  categoryID: int(0).default(0),
  dialect: oneOf(Dialect).default(Dialect.auto),
  valueDays: int(1, 3650).default(defaultValueDays),
  logDays: createProductBody.shape.logDays.unwrap().default(defaultLogDays),
  desc: text(512).default(''),
  tags: tagsInput.default([]),
})
type ProductSpec = z.output<typeof schema>

const fixed = ['deviceType', 'authMode', 'dataProto'] as const

export const productKind: Kind = {
  kind: 'product',
  seenBy: (productID) => ({ endpoint: readProduct, body: { productID } }),
  async load(db) {
    const rows = await db.selectFrom('product').selectAll().orderBy('product_id').execute()
    return rows.map((row) => ({
      name: row.product_id,
      id: 0,
      spec: {
        productName: row.product_name,
        deviceType: row.device_type,
        authMode: row.auth_mode,
        dataProto: row.data_proto,
        netType: row.net_type,
        autoRegister: row.auto_register,
        categoryID: row.category_id,
        dialect: row.dialect,
        valueDays: row.value_days,
        logDays: row.log_days,
        desc: row.description,
        tags: row.tags,
      },
    }))
  },
  async read(_db, given, before) {
    const spec = readSpec(schema, given)
    const other = before && fixed.find((name) => spec[name] !== before[name])
    if (other) {
      throw new AppError(errors.parameter, {
        detail: phrase('「{name}」在产品创建后不能修改', { name: other }),
        field: other,
      })
    }
    return spec
  },
  async create({ ask }, productID, spec) {
    await ask(createProduct, { ...(spec as ProductSpec), productID })
  },
  async update({ ask }, { name: productID }, spec) {
    const { deviceType: _type, authMode: _auth, dataProto: _proto, ...rest } = spec as ProductSpec
    await ask(updateProduct, { ...rest, productID })
  },
  async remove({ ask }, { name: productID }) {
    await ask(deleteProduct, { productID })
  },
}
