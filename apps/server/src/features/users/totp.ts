/** Codes of authenticator apps: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which all of them know. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const stepSeconds = 30
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base 32, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.match(/.{1,5}/g) ?? []
  return letters.map((letter) => alphabet[Number.parseInt(letter.padEnd(5, '0'), 2)]).join('')
}

export const stepAt = (ms: number): number => Math.floor(ms / 1000 / stepSeconds)

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The step that the code belongs to, one before and after now included: clocks differ, and people type slowly. */
export function stepOfCode(secret: Uint8Array, code: string, ms: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = stepAt(ms)
  return [now, now - 1, now + 1].find((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)))
}
