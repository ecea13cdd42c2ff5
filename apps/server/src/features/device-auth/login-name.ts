/** The names a device signs in with (device-protocol.md 2). Pure. */
import { deviceNamePattern } from '@ithings/contract/features/devices/info.ts'
import { productIDPattern } from '@ithings/contract/features/products.ts'

export interface ClientName {
  productID: string
  deviceName: string
  /** `register&…`: it has no secret yet (device-protocol.md 3). */
  registering: boolean
}

const productIDLength = 11
const registerStart = 'register&'

/** `<product><device>` or `<product>&<device>`; no device name holds an `&`. */
function parseDevice(text: string): { productID: string; deviceName: string } | undefined {
  const productID = text.slice(0, productIDLength)
  const rest = text.slice(productIDLength)
  const deviceName = rest.startsWith('&') ? rest.slice(1) : rest
  return productIDPattern.test(productID) && deviceNamePattern.test(deviceName) ? { productID, deviceName } : undefined
}

export function parseClientID(clientID: string): ClientName | undefined {
  if (clientID.startsWith(registerStart)) {
    const rest = clientID.slice(registerStart.length)
    const device = rest.charAt(productIDLength) === '&' ? parseDevice(rest) : undefined
    return device && { ...device, registering: true }
  }
  const device = parseDevice(clientID)
  return device && { ...device, registering: false }
}

export interface UserName {
  productID: string
  deviceName: string
  /** Unix seconds. */
  expiry: number
}

/** `<client id>;<sdkappid>;<connid>;<expiry>` */
export function parseUserName(userName: string): UserName | undefined {
  const [id = '', appID = '', connID = '', expiry = '', ...more] = userName.split(';')
  if (more.length > 0 || appID === '' || connID === '' || !/^\d{1,20}$/.test(expiry)) return undefined
  const device = parseDevice(id)
  // Devices that mean "never" send the largest number that they have.
  return device && { ...device, expiry: Math.min(Number(expiry), Number.MAX_SAFE_INTEGER) }
}
