/** Signatures of devices, compared without telling by time how much of one was right. */
import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'

export function same(given: string, wanted: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(wanted)
  return a.length === b.length && timingSafeEqual(a, b)
}

const hashes = { hmacsha256: 'sha256', hmacsha1: 'sha1' } as const
const isMethod = (text: string): text is keyof typeof hashes => Object.hasOwn(hashes, text)

/** device-protocol.md 2: `<hex HMAC of the user name>;<method>`, key = Base64-decoded device secret. */
export function passwordMatches(userName: string, password: string, secret: string): boolean {
  const [token = '', method = '', ...more] = password.split(';')
  const key = Buffer.from(secret, 'base64')
  if (more.length > 0 || !isMethod(method) || key.length === 0) return false
  return same(token, createHmac(hashes[method], key).update(userName).digest('hex'))
}

export interface Registration {
  productID: string
  deviceName: string
  nonce: number
  timestamp: number
  signature: string
}

/**
 * device-protocol.md 3: HMAC-SHA1 with the product secret as it is written. Both spellings of the product's key, and
 * Base64 of the hex text as well as of the bytes, are in use.
 */
export function registrationMatches(input: Registration, productSecret: string): boolean {
  const { productID, deviceName, nonce, timestamp, signature } = input
  if (productSecret === '') return false
  const wanted = ['productId', 'productID'].flatMap((key) => {
    const text = `deviceName=${deviceName}&nonce=${nonce}&${key}=${productID}&timestamp=${timestamp}`
    const bytes = createHmac('sha1', productSecret).update(text).digest()
    return [Buffer.from(bytes.toString('hex')).toString('base64'), bytes.toString('base64')]
  })
  // All are compared, whichever is right.
  return wanted.map((one) => same(signature, one)).some(Boolean)
}

const keyBytes = 16
const startVector = Buffer.alloc(keyBytes, '0')

/** device-protocol.md 3, step 4: what a device gets when it has registered. */
export function sealCredentials(secret: string, productSecret: string): { len: number; payload: string } {
  const text = JSON.stringify({ encryptionType: 1, psk: secret, clientCert: '', clientKey: '' })
  const key = Buffer.alloc(keyBytes)
  key.write(productSecret, 'utf8')
  const cipher = createCipheriv('aes-128-cbc', key, startVector)
  const payload = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64')
  return { len: Buffer.byteLength(text), payload }
}
