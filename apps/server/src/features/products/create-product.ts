import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  AuthMode,
  AutoRegister,
  DataProto,
  DeviceType,
  type createProduct as endpoint,
  NetType,
} from '@ithings/contract/features/products/info.ts'
import { places, seal } from '#db/sealed.ts'
import { makeSecret } from '#db/secrets.ts'
import { newProductID } from './product-id.ts'
import { removeImage, takeImage } from './product-image.ts'
import { settingColumns } from './product-settings.ts'
import type { ProductsKit } from './products-kit.ts'
import { nameConflicts } from './store.ts'

export async function createProduct(kit: ProductsKit, input: BodyOutput<typeof endpoint>) {
  const { productName } = input
  const now = kit.clock.now()
  const productID = input.productID ?? newProductID(now)
  const image = await takeImage(kit, input.productImg)
  const insert = kit.db
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
      secret: seal(kit.db, places.product(productID), makeSecret()),
      created_at: new Date(now),
    })
    .execute()
  try {
    await nameConflicts(insert, { productID, productName })
  } catch (error) {
    await removeImage(kit, image)
    throw error
  }
  await kit.signal.send('product.changed', { productID })
  return { productID }
}
