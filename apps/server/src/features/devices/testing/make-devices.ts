/** Products and devices for room tests, made through the API like everybody makes them. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { type JobStatus, readJob } from '@ithings/contract/features/jobs.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { expect } from 'vitest'
import { uniqueText } from '#testing/people.ts'
import type { World } from '#testing/world.ts'

type ProductFields = Partial<BodyInput<typeof createProduct>>

export async function makeProduct(world: World, fields: ProductFields = {}): Promise<string> {
  const productID = fields.productID ?? `P${uniqueText('').padStart(10, '0')}`
  await world.asAdmin(createProduct, { productName: uniqueText('产品'), ...fields, productID })
  return productID
}

type DeviceFields = Omit<BodyInput<typeof createDevice>, 'productID' | 'deviceName'>

export async function makeDevice(world: World, productID: string, fields: DeviceFields & { deviceName?: string } = {}) {
  const deviceName = fields.deviceName ?? uniqueText('device-')
  await world.asAdmin(createDevice, { ...fields, productID, deviceName })
  return { productID, deviceName }
}

/** As the corridor will write it: a device signs in and, unless `online`, leaves again. */
export async function activate(world: World, key: { productID: string; deviceName: string }, online: boolean) {
  await world.db
    .updateTable('device')
    .set({ is_online: online ? 1 : 2, first_login: new Date(1_700_000_000_000), last_login: new Date() })
    .where('product_id', '=', key.productID)
    .where('device_name', '=', key.deviceName)
    .execute()
}

export async function untilJobEnds(world: World, jobID: string, status: JobStatus = 3) {
  return expect.poll(async () => (await world.asAdmin(readJob, { jobID })).status).toBe(status)
}

/** A multipart body with one file. */
export function formWithFile(fields: Record<string, string>, file?: { name: string; content: Uint8Array | string }) {
  const boundary = 'form-boundary-5d1c'
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  )
  if (file) {
    parts.push(
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: text/csv\r\n\r\n`,
      ),
      Buffer.from(file.content),
      Buffer.from('\r\n'),
    )
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  }
}
