import { randomInt } from 'node:crypto'

/** In the order of ASCII, so that ids sort by the time they were made. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 11
const epoch = Date.UTC(2020, 0, 1)
const randomBits = 22

/** http-api.md 3.1: a time-ordered number in base62, left-padded with 0 to 11 characters. */
export function newProductID(now: number): string {
  let rest = (BigInt(now - epoch) << BigInt(randomBits)) | BigInt(randomInt(2 ** randomBits))
  let text = ''
  for (const base = BigInt(alphabet.length); rest > 0n; rest /= base) text = alphabet[Number(rest % base)] + text
  return text.padStart(length, '0')
}
