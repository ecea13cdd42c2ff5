/** What the buttons 一键复制 put on the clipboard (screens.md 6.1, 6.3). Pure. */
import type { Device, DeviceKey } from '@ithings/contract/features/devices/info.ts'

const jsonText = (value: object): string => JSON.stringify(value, null, 2)

/** Enough to flash a device with. */
export const identityJson = ({ productID, deviceName, secret }: Pick<Device, keyof DeviceKey | 'secret'>): string =>
  jsonText({ productID, deviceName, secret })

interface Credentials {
  device: DeviceKey
  clientID: string
  userName: string
  password: string
}

/** Everything that a client needs to sign in. */
export const credentialsJson = ({ device, clientID, userName, password }: Credentials): string => {
  const { productID, deviceName } = device
  return jsonText({ productID, deviceName, clientId: clientID, username: userName, password })
}
