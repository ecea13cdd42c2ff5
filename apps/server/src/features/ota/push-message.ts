/** What the platform says to a device about an upgrade without being asked (device-protocol.md 8). */

import { successText } from '@ithings/contract/device/messages.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { sendToDevice } from '#downlink/send.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { OtaDeps } from './ota-deps.ts'

interface Push {
  type: 'upgrade' | 'report'
  method: 'reportInfo' | 'getReport'
  token: string
  body: Record<string, unknown>
}

async function push(deps: OtaDeps, { deviceID, productID, deviceName }: DeviceRef, message: Push): Promise<void> {
  const product = await deps.products.get(productID)
  if (!product) throw refusal(errors.notFound, '产品 {productID} 不存在', { productID })
  const { type, method, token, body } = message
  const device = { deviceID, productID, deviceName }
  await sendToDevice(deps, { device, product, head: 'ota', type, message: { method, token, body } })
}

export const askVersion = (deps: OtaDeps, device: DeviceRef, token: string): Promise<void> =>
  push(deps, device, { type: 'report', method: 'getReport', token, body: {} })

/** @param data as upgrade-info.ts makes it */
export function pushUpgrade(
  deps: OtaDeps,
  device: DeviceRef,
  token: string,
  data: Record<string, unknown>,
): Promise<void> {
  const body = { code: 200, msg: successText, status: successText, data }
  return push(deps, device, { type: 'upgrade', method: 'reportInfo', token, body })
}
