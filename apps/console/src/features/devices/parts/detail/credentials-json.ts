/** Everything a client needs to sign in, as JSON for the clipboard (screens.md 6.3). Pure. */
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'

interface Credentials {
  device: DeviceKey
  clientID: string
  userName: string
  password: string
}

export const credentialsJson = ({ device, clientID, userName, password }: Credentials): string =>
  JSON.stringify(
    { productID: device.productID, deviceName: device.deviceName, clientId: clientID, username: userName, password },
    null,
    2,
  )
