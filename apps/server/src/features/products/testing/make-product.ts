/** Products for room tests, made through the API; devices by their rows, for tests that are not about them. */

import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Sealed } from '#db/sealed-column.ts'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'

export async function makeProduct(world: World, fields: Partial<BodyInput<typeof createProduct>> = {}) {
  const productName = fields.productName ?? uniqueText('水泵')
  const { productID } = await world.asAdmin(createProduct, { ...fields, productName })
  return { productID, productName }
}

/** As the devices feature stores them; the tally is kept by the database. */
export async function addDevice(world: World, productID: string, online = false): Promise<void> {
  await world.db
    .insertInto('device')
    .values({
      product_id: productID,
      device_name: uniqueText('dev'),
      secret: 'x' as Sealed,
      phone: null,
      iccid: null,
      is_online: online ? 1 : 2,
      first_login: online ? new Date() : null,
      last_login: null,
    })
    .execute()
}
