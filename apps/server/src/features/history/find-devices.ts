/** Devices and the model that the messages of a request are about. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { requireDevices } from '#features/devices/door.ts'
import type { CachedProduct } from '#features/products/door.ts'
import type { ValueShape } from '#ports/history.ts'
import type { HistoryDeps } from './history-deps.ts'

export interface NamedDevice {
  deviceID: number
  deviceName: string
}

/** More than this are named by whoever asks: nobody reads the history of a whole fleet in one answer. */
const mostUnnamed = 500

async function findAll({ db }: HistoryDeps, productID: string): Promise<NamedDevice[]> {
  const rows = await db
    .selectFrom('device')
    .select(['device_id as deviceID', 'device_name as deviceName'])
    .where('product_id', '=', productID)
    .orderBy('device_name')
    .limit(mostUnnamed + 1)
    .execute()
  if (rows.length <= mostUnnamed) return rows
  throw refusal(
    errors.outOfRange,
    '产品 {productID} 的设备超过 {most} 台，请指定设备',
    { productID, most: mostUnnamed },
    { field: 'deviceNames' },
  )
}

/** In the order asked for, without names all of the product; one that does not exist refuses the call and is named. */
export async function findDevices(
  deps: HistoryDeps,
  productID: string,
  deviceNames: string[] | null | undefined,
): Promise<NamedDevice[]> {
  if (!deviceNames?.length) return findAll(deps, productID)
  return requireDevices(
    deps.db,
    deviceNames.map((deviceName) => ({ productID, deviceName })),
  )
}

export async function findProductModel({ products }: HistoryDeps, productID: string): Promise<CachedProduct> {
  const product = await products.get(productID)
  if (!product) throw refusal(errors.notFound, '产品 {productID} 不存在', { productID })
  return product
}

const shapes: Record<Property['define']['type'], ValueShape> = {
  bool: 'boolean',
  int: 'number',
  float: 'number',
  enum: 'number',
  timestamp: 'number',
  string: 'string',
  struct: 'object',
  array: 'array',
}

export const shapeOfProperty = ({ define }: Property): ValueShape => shapes[define.type]

export const hasShape = (value: unknown, shape: ValueShape): boolean =>
  shape === 'array' ? Array.isArray(value) : value !== null && !Array.isArray(value) && typeof value === shape
