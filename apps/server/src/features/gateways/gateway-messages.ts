/** What gateways ask for over MQTT (device-protocol.md 6): register, bind, unbind and describe sub-devices. */

import { describeError } from '@ithings/contract/describe-issue.ts'
import { SignMethod, signText } from '@ithings/contract/device/credentials.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { type DeviceKey, deviceName } from '@ithings/contract/features/devices/info.ts'
import { AutoRegister } from '@ithings/contract/features/products.ts'
import * as z from 'zod'
import { places } from '#db/sealed.ts'
import { makeSecret, openSecrets, validSecrets } from '#db/secrets.ts'
import { same } from '#features/device-auth/door.ts'
import { findByKeys, insertDevice } from '#features/devices/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { bindSubDevices, unbindSubDevices } from './bind-sub-devices.ts'
import type { GatewaysDeps } from './gateways-deps.ts'
import { subDevicesOf } from './list-sub-devices.ts'

/** Who asks. */
export type GatewayRef = DeviceRef

/** A gateway names this many devices in one message. */
const mostDevices = 200

const childKey = z.object({ productID: z.string().min(1).max(64), deviceName })
const signedChild = z.object({
  ...childKey.shape,
  signature: z.string().max(128),
  random: z.union([z.number(), z.string().max(32)]),
  timestamp: z.union([z.number(), z.string().max(32)]),
  signMethod: z.enum(SignMethod).default(SignMethod.sha1),
})

function read<T extends z.ZodType>(schema: T, devices: unknown): Array<z.output<T>> {
  const parsed = z.array(schema).min(1).max(mostDevices).safeParse(devices)
  if (parsed.success) return parsed.data
  const { text } = describeError(parsed.error)
  throw new AppError(errors.parameter, { detail: text.replace(/^请求体/, 'devices') })
}

const name = ({ productID, deviceName }: GatewayRef) => ({
  gateWayProductID: productID,
  gateWaydeviceName: deviceName,
})
const done = (list: DeviceKey[]) => list.map(({ productID, deviceName }) => ({ productID, deviceName, result: 200 }))

/** Every product must allow it; then each device is made on its own, a duplicate says so in its row. */
export async function registerChildren(deps: GatewaysDeps, devices: unknown): Promise<Array<Record<string, unknown>>> {
  const list = read(childKey, devices)
  const ids = [...new Set(list.map((one) => one.productID))]
  const products = await deps.db
    .selectFrom('product')
    .select(['product_id', 'auto_register'])
    .where('product_id', 'in', ids)
    .execute()
  const open = new Map(products.map((row) => [row.product_id, row.auto_register]))
  for (const id of ids) {
    if (!open.has(id)) throw refusal(errors.parameter, '产品 {productID} 不存在', { productID: id })
    if (open.get(id) !== AutoRegister.create)
      throw refusal(errors.parameter, '产品:{productID} 未打开自动注册', { productID: id })
  }
  const rows: Array<Record<string, unknown>> = []
  for (const { productID, deviceName } of list) {
    const secret = makeSecret()
    try {
      await insertDevice(deps.db, { product_id: productID, device_name: deviceName, secret })
      await deps.signal.send('device.changed', { productID, deviceName })
      rows.push({ productID, deviceName, deviceSecret: secret, result: 200 })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      rows.push({ productID, deviceName, deviceSecret: '', result: error.code, status: error.message })
    }
  }
  return rows
}

/** The sub-device's own secret signs; the documentation omits one semicolon, both forms count. */
function signedRight(child: z.output<typeof signedChild>, secret: string): boolean {
  const { productID, deviceName, random, timestamp, signMethod, signature } = child
  return [`${productID};${deviceName}`, `${productID}${deviceName}`].some((who) =>
    same(signText(`${who};${random};${timestamp}`, secret, signMethod), signature.toLowerCase()),
  )
}

export async function bindChildren(deps: GatewaysDeps, gateway: GatewayRef, devices: unknown) {
  const list = read(signedChild, devices)
  const { found } = await findByKeys(deps.db, list)
  const ids = found.map((one) => one.deviceID)
  const secrets = ids.length
    ? await deps.db
        .selectFrom('device')
        .select(['product_id', 'device_name', 'secret', 'old_secret', 'old_secret_until'])
        .where('device_id', 'in', ids)
        .execute()
    : []
  for (const child of list) {
    const row = secrets.find((one) => one.product_id === child.productID && one.device_name === child.deviceName)
    if (!row) throw refusal(errors.notFound, '设备 {deviceName} 不存在', { deviceName: child.deviceName })
    const own = openSecrets(deps.db, places.device(row.product_id, row.device_name), row)
    if (!validSecrets(own, deps.clock.now()).some((secret) => signedRight(child, secret)))
      throw refusal(errors.parameter, '{deviceName} 无效签名', { deviceName: child.deviceName })
  }
  await bindSubDevices(deps, { ...name(gateway), list })
  return done(list)
}

export async function unbindChildren(deps: GatewaysDeps, gateway: GatewayRef, devices: unknown) {
  const list = read(childKey, devices)
  await unbindSubDevices(deps, { ...name(gateway), list })
  return done(list)
}

export const describeChildren = async (deps: GatewaysDeps, gateway: GatewayRef) =>
  done(await subDevicesOf(deps.db, gateway.deviceID))

/** Those that the gateway says are there or gone; all must be bound to it. */
export async function ownChildren(deps: GatewaysDeps, gateway: GatewayRef, devices: unknown): Promise<GatewayRef[]> {
  const list = read(childKey, devices)
  const own = await subDevicesOf(deps.db, gateway.deviceID)
  return list.map(({ productID, deviceName }) => {
    const child = own.find((one) => one.productID === productID && one.deviceName === deviceName)
    if (!child) throw refusal(errors.parameter, '子设备 {deviceName} 未绑定到此网关', { deviceName })
    return child
  })
}
