/** What devices are told without having asked: their log level, and the children of a gateway (device-protocol.md 6, 7). */
import { randomBytes } from 'node:crypto'
import { successText } from '@ithings/contract/device/messages.ts'
import type { Relay } from '#downlink/relay.ts'
import { type DownlinkDeps, sendToDevice } from '#downlink/send.ts'
import type { DeviceCache } from '#features/devices/door.ts'
import type { ProductCache } from '#features/products/door.ts'

export interface DeviceNoticesDeps extends DownlinkDeps {
  relay: Pick<Relay, 'connected'>
  devices: DeviceCache
  products: ProductCache
}

/** Devices that are not connected ask for these things when they come: nothing is queued for them. */
export function sendDeviceNotices(deps: DeviceNoticesDeps): () => void {
  const { bus, relay } = deps
  const warn = (error: unknown) => deps.log.warn({ err: error }, 'a device could not be told of a change')

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
      deps.devices.get(key.productID, key.deviceName),
      deps.products.get(key.productID),
    ])
    if (!device || !product) return
    const { method, body } = message
    const said = { code: 200, status: successText, msg: successText, ...body }
    const token = randomBytes(16).toString('hex')
    await sendToDevice(deps, { device, product, head, type, message: { method, token, body: said } })
  }

  const ends = [
    bus.on('device.logLevel', ({ devices, logLevel }) => {
      const body = { data: { logLevel } }
      relay
        .connected(devices)
        .then((there) =>
          Promise.all(there.map((key) => send(key, 'log', 'update', { method: 'getStatusReply', body }))),
        )
        .catch(warn)
    }),
    bus.on('gateway.children', ({ gateway, bound, children }) => {
      if (children.length === 0) return
      const devices = children.map(({ productID, deviceName }) => ({ productID, deviceName }))
      const body = { payload: { status: bound ? 1 : 2, devices } }
      relay
        .connected([gateway])
        .then((there) => Promise.all(there.map((key) => send(key, 'gateway', 'operation', { method: 'change', body }))))
        .catch(warn)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}
