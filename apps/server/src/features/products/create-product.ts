import { randomInt } from 'node:crypto'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  AuthMode,
  AutoRegister,
  DataProto,
  DeviceType,
  type createProduct as endpoint,
  NetType,
} from '@ithings/contract/features/products.ts'
import { places, seal } from '#db/sealed.ts'
import { makeSecret } from '#db/secrets.ts'
import { removeImage, takeImage } from './product-image.ts'
import { settingColumns } from './product-settings.ts'
import type { ProductsDeps } from './products-deps.ts'
import { nameConflicts } from './store.ts'

/** In the order of ASCII, so that ids sort by the time they were made. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 11
const epoch = Date.UTC(2020, 0, 1)
const randomBits = 22

/** http-api.md 3.1: a time-ordered number in base62, left-padded with 0 to 11 characters. */
export function newProductID(now: number): string {
  let rest = (BigInt(now - epoch) << BigInt(randomBits)) | BigInt(randomInt(2 ** randomBits))
  let text = ''
  for (const base = BigInt(alphabet.length); rest > 0n; rest /= base) text = alphabet[Number(rest % base)] + text
  return text.padStart(length, '0')
}

export async function createProduct(deps: ProductsDeps, input: BodyOutput<typeof endpoint>) {
  const { productName } = input
  const now = deps.clock.now()
  const productID = input.productID ?? newProductID(now)
  const image = await takeImage(deps, input.productImg)
  const insert = deps.db
    .insertInto('product')
    .values({
      auth_mode: input.authMode ?? AuthMode.password,
      device_type: input.deviceType ?? DeviceType.device,
      data_proto: input.dataProto ?? DataProto.custom,
      net_type: NetType.other,
      auto_register: AutoRegister.off,
      ...settingColumns(input),
      product_id: productID,
      product_name: productName,
      product_img: image,
      secret: seal(deps.db, places.product(productID), makeSecret()),
      created_at: new Date(now),
    })
    .execute()
  try {
    await nameConflicts(insert, { productID, productName })
  } catch (error) {
    await removeImage(deps, image)
    throw error
  }
  await deps.signal.send('product.changed', { productID })
  return { productID }
}
