/** Packages as people make them: uploaded, then created through the API. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { createFirmware } from '@ithings/contract/features/ota/firmware.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { TusClient } from '#features/files/testing/tus.ts'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'

export const makeProduct = async (world: World): Promise<string> =>
  (await world.asAdmin(createProduct, { productName: uniqueText('泵') })).productID

export type PackageBody = BodyInput<typeof createFirmware>

/** One file, uploaded just now. */
export const packageBody = async (
  tus: TusClient,
  productID: string,
  content: Buffer | string = 'firmware',
): Promise<PackageBody> => ({
  name: '主控固件',
  productID,
  version: '1.2.3',
  files: [{ filePath: await tus.upload(Buffer.from(content)), name: 'main.bin' }],
})

export const makePackage = async (world: World, body: PackageBody): Promise<number> =>
  (await world.asAdmin(createFirmware, body)).firmwareID
