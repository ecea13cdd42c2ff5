/** What devices are told without having asked: their log level, and the children of a gateway (device-protocol.md 6, 7). */
import { randomBytes } from 'node:crypto'
import { successText } from '@ithings/contract/device/messages.ts'
import { type DownlinkKit, sendToDevice } from '#downlink/send.ts'
import type { DeviceBook } from '#features/devices/door.ts'
import type { ProductBook } from '#features/products/door.ts'
import type { Broker } from '#ports/broker.ts'

export interface DeviceNoticesKit extends DownlinkKit {
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  devices: DeviceBook
  products: ProductBook
}

/** Devices that are not connected ask for these things when they come: nothing is queued for them. */
export function sendDeviceNotices(kit: DeviceNoticesKit): () => void {
  const { bus, broker } = kit
  const warn = (error: unknown) => kit.log.warn({ err: error }, 'a device could not be told of a change')

  const send = async (
    key: { productID: string; deviceName: string },
    head: 'log' | 'gateway',
    type: string,
    message: {
      method: 'getStatusReply' | 'change'
      body: Record<string, unknown>
    },
  ) => {
    const [device, product] = await Promise.all([
      kit.devices.get(key.productID, key.deviceName),
      kit.products.get(key.productID),
    ])
    if (!device || !product) return
    const { method, body } = message
    const said = { code: 200, status: successText, msg: successText, ...body }
    const token = randomBytes(16).toString('hex')
    await sendToDevice(kit, { device, product, head, type, message: { method, token, body: said } })
  }

  const ends = [
    bus.on('device.logLevel', ({ devices, logLevel }) => {
      const here = devices.filter(({ productID, deviceName }) => broker.sessionOf(productID, deviceName))
      const body = { data: { logLevel } }
      Promise.all(here.map((key) => send(key, 'log', 'update', { method: 'getStatusReply', body }))).catch(warn)
    }),
    bus.on('gateway.children', ({ gateway, bound, children }) => {
      if (!broker.sessionOf(gateway.productID, gateway.deviceName) || children.length === 0) return
      const devices = children.map(({ productID, deviceName }) => ({ productID, deviceName }))
      const body = { payload: { status: bound ? 1 : 2, devices } }
      send(gateway, 'gateway', 'operation', { method: 'change', body }).catch(warn)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
