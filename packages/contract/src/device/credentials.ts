/** How a device signs in to MQTT (device-protocol.md 2): client id, user name and password. */

/** device-protocol.md 2: the same for every device. */
export const sdkAppID = '12010126'

export const SignMethod = { sha256: 'hmacsha256', sha1: 'hmacsha1' } as const
export type SignMethod = (typeof SignMethod)[keyof typeof SignMethod]
export const signMethodLabels: Record<SignMethod, string> = { hmacsha256: 'HMAC-SHA256', hmacsha1: 'HMAC-SHA1' }

/** The lifetime that existing consoles give. */
export const defaultExpiryDays = 127

const hashNames: Record<SignMethod, string> = { hmacsha256: 'SHA-256', hmacsha1: 'SHA-1' }

export const clientIDOf = ({ productID, deviceName }: { productID: string; deviceName: string }): string =>
  `${productID}${deviceName}`

/** @param expiry Unix seconds */
export const userNameOf = (clientID: string, connID: string, expiry: number): string =>
  `${clientID};${sdkAppID};${connID};${expiry}`

const connIDLength = 5
const connIDLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export const randomConnID = (): string =>
  [...crypto.getRandomValues(new Uint8Array(connIDLength))]
    .map((byte) => connIDLetters[byte % connIDLetters.length])
    .join('')

/** Browsers give WebCrypto to https and localhost only. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

const bytesOfBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Lower-case hex of the HMAC of any text; the key is the Base64 form of the secret. */
export async function signText(text: string, secret: string, method: SignMethod): Promise<string> {
  const algorithm = { name: 'HMAC', hash: hashNames[method] }
  const key = await crypto.subtle.importKey('raw', bytesOfBase64(secret), algorithm, false, ['sign'])
  return hexOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))))
}

export const passwordOf = async (userName: string, secret: string, method: SignMethod): Promise<string> =>
  `${await signText(userName, secret, method)};${method}`
