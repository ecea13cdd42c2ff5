/** Dynamic registration (device-protocol.md 3): a device that knows its product's secret gets its own. */
import { describeError } from '@ithings/contract/describe-issue.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { registration } from '@ithings/contract/features/devices/auth.ts'
import { deviceNamePattern } from '@ithings/contract/features/devices/info.ts'
import { AutoRegister } from '@ithings/contract/features/products/info.ts'
import { makeSecret } from '#db/new-device.ts'
import type { Db } from '#db/schema.ts'
import type { SessionDevice } from '#ports/broker.ts'
import type { DeviceAuthKit } from './device-auth-kit.ts'
import { type Registration, registrationMatches, sealCredentials } from './signatures.ts'

const disabled = 2

const badSignature = () => new AppError(errors.parameter, { detail: '无效签名', field: 'signature' })
const unknown = () => new AppError(errors.notFound, { detail: '设备注册失败，无效设备', field: 'deviceName' })

const findDevice = (db: Db, { productID, deviceName }: Registration) =>
  db
    .selectFrom('device')
    .select(['secret', 'first_login', 'is_enable'])
    .where('product_id', '=', productID)
    .where('device_name', '=', deviceName)
    .executeTakeFirst()

/** Two first messages of one device at the same moment make one device. */
async function create({ db, signal }: DeviceAuthKit, { productID, deviceName }: Registration): Promise<void> {
  if (!deviceNamePattern.test(deviceName)) throw unknown()
  await db
    .insertInto('device')
    .values({ product_id: productID, device_name: deviceName, secret: makeSecret() })
    .onConflict((conflict) => conflict.columns(['product_id', 'device_name']).doNothing())
    .execute()
  await signal.send('device.changed', { productID, deviceName })
}

/** Always from the database: what the books remember may be a moment old, and a secret is given out once. */
export async function register(kit: DeviceAuthKit, input: Registration): Promise<{ len: number; payload: string }> {
  const { db } = kit
  const product = await db
    .selectFrom('product')
    .select(['secret', 'auto_register'])
    .where('product_id', '=', input.productID)
    .executeTakeFirst()
  if (!product) throw new AppError(errors.notFound, { detail: `产品 ${input.productID} 不存在`, field: 'productID' })
  if (product.auto_register === AutoRegister.off) {
    throw new AppError(errors.notEnabled, { detail: '设备动态注册未启动' })
  }
  const signed = registrationMatches(input, product.secret)
  if (!(await findDevice(db, input))) {
    if (product.auto_register !== AutoRegister.create) throw unknown()
    if (!signed) throw badSignature()
    await create(kit, input)
  }
  const device = await findDevice(db, input)
  if (!device) throw unknown()
  if (device.first_login) throw new AppError(errors.notEmpty, { detail: '设备已注册' })
  if (!signed) throw badSignature()
  if (device.is_enable === disabled) throw new AppError(errors.notEnabled, { detail: '设备已禁用' })
  return sealCredentials(device.secret, product.secret)
}

/** @param payload of the message; who asks is known from its sign-in */
export function registerByMessage(kit: DeviceAuthKit, { productID, deviceName }: SessionDevice, payload: unknown) {
  const parsed = registration.safeParse(payload)
  if (!parsed.success) {
    const { text, field } = describeError(parsed.error)
    throw new AppError(errors.parameter, { detail: text, field })
  }
  return register(kit, { productID, deviceName, ...parsed.data })
}
