/** Dynamic registration (device-protocol.md 3): a device that knows its product's secret gets its own. */

import { describeError } from '@ithings/contract/describe-issue.ts'
import { dayMs } from '@ithings/contract/durations.ts'
import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import { registration } from '@ithings/contract/features/device-auth.ts'
import { deviceNamePattern } from '@ithings/contract/features/devices/info.ts'
import { AutoRegister } from '@ithings/contract/features/products.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { open, places } from '#db/sealed.ts'
import { makeSecret, openSecrets, validSecrets } from '#db/secrets.ts'
import { sealedRow } from '#features/devices/door.ts'
import type { SessionDevice } from '#ports/broker.ts'
import type { DeviceAuthDeps } from './device-auth-deps.ts'
import { type Registration, registrationMatches, sealCredentials } from './signatures.ts'

const disabled = 2

const badSignature = () => badField('signature', '无效签名')
const unknown = () => new AppError(errors.notFound, { detail: phrase('设备注册失败，无效设备'), field: 'deviceName' })

const findDevice = (db: Db, { productID, deviceName }: Registration) =>
  db
    .selectFrom('device')
    .select(['secret', 'first_login', 'is_enable'])
    .where('product_id', '=', productID)
    .where('device_name', '=', deviceName)
    .executeTakeFirst()

/** How far the clock of a device may be off when it is to be created; a wrong time zone is forgiven. */
const windowMs = dayMs

function refuseStale(timestamp: number, now: number): void {
  // Seconds, as the protocol says; some devices send milliseconds.
  const at = timestamp > 100_000_000_000 ? timestamp : timestamp * 1000
  if (Math.abs(now - at) <= windowMs) return
  const detail = phrase('timestamp 与平台时间 {now} 相差超过 24 小时，请校时后重试，或先在平台登记设备', {
    now: Math.floor(now / 1000),
  })
  throw new AppError(errors.parameter, { detail, field: 'timestamp' })
}

/**
 * What somebody overheard can be sent again: a request creates a device once, and only while it is fresh. Two first
 * messages of one device at the same moment make one device.
 */
async function create({ db: pool, clock, signal }: DeviceAuthDeps, input: Registration): Promise<void> {
  const { productID, deviceName, nonce, timestamp } = input
  if (!deviceNamePattern.test(deviceName)) throw unknown()
  const now = clock.now()
  refuseStale(timestamp, now)
  await pool.deleteFrom('registration_used').where('expires_at', '<', new Date(now)).execute()
  await pool.transaction().execute(async (db) => {
    // Not the signature, which can be written in several ways.
    const request = [productID, deviceName, nonce, timestamp].join('/')
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('registration_used')
      .values({ request, expires_at: new Date(now + 2 * windowMs) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return
    await db
      .insertInto('device')
      .values(sealedRow(db, { product_id: productID, device_name: deviceName, secret: makeSecret() }))
      .onConflict((conflict) => conflict.columns(['product_id', 'device_name']).doNothing())
      .execute()
  })
  await signal.send('device.changed', { productID, deviceName })
}

/** Always from the database: what the caches remember may be a moment old, and a secret is given out once. */
export async function register(deps: DeviceAuthDeps, input: Registration): Promise<{ len: number; payload: string }> {
  const { db } = deps
  const product = await db
    .selectFrom('product')
    .select(['secret', 'old_secret', 'old_secret_until', 'auto_register'])
    .where('product_id', '=', input.productID)
    .executeTakeFirst()
  if (!product)
    throw refusal(errors.notFound, '产品 {productID} 不存在', { productID: input.productID }, { field: 'productID' })
  if (product.auto_register === AutoRegister.off) throw refusal(errors.notEnabled, '设备动态注册未启动')
  // Before anything is said about a name.
  const secrets = openSecrets(db, places.product(input.productID), product)
  const signer = validSecrets(secrets, deps.clock.now()).find((one) => registrationMatches(input, one))
  if (signer === undefined) throw badSignature()
  if (!(await findDevice(db, input))) {
    if (product.auto_register !== AutoRegister.create) throw unknown()
    await create(deps, input)
  }
  const device = await findDevice(db, input)
  if (!device) throw badField('nonce', '重复的注册请求，请换一个 nonce')
  if (device.first_login) throw refusal(errors.notEmpty, '设备已注册')
  if (device.is_enable === disabled) throw refusal(errors.notEnabled, '设备已禁用')
  // With the one that it knows: within the grace of a rotation that may be the old one.
  return sealCredentials(open(db, places.device(input.productID, input.deviceName), device.secret), signer)
}

/** @param payload of the message; who asks is known from its sign-in */
export function registerByMessage(deps: DeviceAuthDeps, { productID, deviceName }: SessionDevice, payload: unknown) {
  const parsed = registration.safeParse(payload)
  if (!parsed.success) {
    const { text, field } = describeError(parsed.error)
    throw new AppError(errors.parameter, { detail: text, field })
  }
  return register(deps, { productID, deviceName, ...parsed.data })
}
