/** How a device signs in to MQTT (device-protocol.md 2): client id, user name and password. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** device-protocol.md 2: the same for every device. */
export const sdkAppID = '12010126'

export const SignMethod = { sha256: 'hmacsha256', sha1: 'hmacsha1' } as const
export type SignMethod = (typeof SignMethod)[keyof typeof SignMethod]
export const signMethodLabels: Record<SignMethod, string> = { hmacsha256: 'HMAC-SHA256', hmacsha1: 'HMAC-SHA1' }

/** The lifetime that existing consoles give. */
export const defaultExpiryDays = 127

const hashes = { hmacsha256: sha256, hmacsha1: sha1 } as const satisfies Record<SignMethod, unknown>

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

const bytesOfBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/**
 * Lower-case hex of the HMAC of any text; the key is the Base64 form of the secret.
 * Not WebCrypto: browsers give it to https and localhost only, and consoles are often opened by plain http.
 */
export const signText = (text: string, secret: string, method: SignMethod): string =>
  bytesToHex(hmac(hashes[method], bytesOfBase64(secret), utf8ToBytes(text)))

export const passwordOf = (userName: string, secret: string, method: SignMethod): string =>
  `${signText(userName, secret, method)};${method}`
