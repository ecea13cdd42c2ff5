/** `$gateway/up/{operation,status}` (device-protocol.md 6). Replies carry the method of the request. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { phrase } from '@ithings/contract/text.ts'
import { jsonText } from '#db/json-text.ts'
import { JournalKind } from '#ports/journal.ts'
import type { CorridorDoors, Handler } from '../corridor-deps.ts'

type GatewayMethod = keyof CorridorDoors['gateway']

const handle =
  (method: GatewayMethod): Handler =>
  async ({ device, message, packet }, deps) => {
    if (device.deviceType !== DeviceType.gateway) {
      throw new AppError(errors.parameter, { msg: phrase('子设备只能由网关设备进行绑定') })
    }
    const payload = (message.payload ?? {}) as { devices?: unknown }
    const devices = await deps.doors.gateway[method](device, payload.devices, packet.session)
    return {
      kind: JournalKind.gateway,
      content: jsonText(message.payload ?? {}),
      reply: { method, extra: { payload: { devices } } },
    }
  }

/** The device confirms what was pushed to it; nothing to do (device-protocol.md 6). */
const change: Handler = ({ message }) => ({ kind: JournalKind.gateway, content: jsonText(message.payload ?? {}) })

export const operationHandlers = {
  register: handle('register'),
  bind: handle('bind'),
  unbind: handle('unbind'),
  describeSubDevices: handle('describeSubDevices'),
  change,
}
export const statusHandlers = { online: handle('online'), offline: handle('offline') }
