/**
 * The header that a balancer puts before the first byte of a connection, so that we know who is behind it: PROXY
 * protocol, version 1 (a line of text) and version 2 (binary).
 */
import { isIP } from 'node:net'

export type ProxyHeader =
  /** Not all of it is there yet. */
  | { state: 'part' }
  | { state: 'broken'; why: string }
  /** `address` undefined: the balancer speaks for itself (a health check), or does not know. */
  | { state: 'whole'; length: number; address: string | undefined }

const textStart = Buffer.from('PROXY ')
/** With CR and LF. */
const textMost = 107
const binaryStart = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const binaryFixed = 16
/** Addresses take 36 bytes at most, the rest is remarks of the balancer; ours are never long. */
const binaryMost = 2_048

const local = 0
const proxied = 1
const families = { inet: 1, inet6: 2 }

const broken = (why: string): ProxyHeader => ({ state: 'broken', why })

/** As much as is there of both is the same. */
const beginsLike = (bytes: Buffer, start: Buffer): boolean => {
  const length = Math.min(bytes.length, start.length)
  return bytes.subarray(0, length).equals(start.subarray(0, length))
}

/** `PROXY TCP4 192.0.2.1 192.0.2.9 56324 1883` */
function readText(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, textMost).indexOf('\r\n')
  if (end < 0) return bytes.length < textMost ? { state: 'part' } : broken('its line does not end')
  const [, family, from = '', to = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  const length = end + 2
  if (family === 'UNKNOWN') return { state: 'whole', length, address: undefined }
  const kind = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : undefined
  const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535
  if (!kind || isIP(from) !== kind || isIP(to) !== kind || ports.length !== 2 || !ports.every(isPort))
    return broken('its line is not as the protocol says')
  return { state: 'whole', length, address: from }
}

const addressOf4 = (bytes: Buffer): string => bytes.subarray(0, 4).join('.')
const addressOf6 = (bytes: Buffer): string =>
  Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':')

function readBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < binaryFixed) return { state: 'part' }
  const [version, command] = [bytes.readUInt8(12) >> 4, bytes.readUInt8(12) & 15]
  if (version !== 2 || (command !== local && command !== proxied)) return broken('its version or command is unknown')
  const rest = bytes.readUInt16BE(14)
  const length = binaryFixed + rest
  if (length > binaryMost) return broken(`it has ${length} bytes, at most ${binaryMost} are read`)
  if (bytes.length < length) return { state: 'part' }
  const family = bytes.readUInt8(13) >> 4
  const body = bytes.subarray(binaryFixed, length)
  if (command === local || (family !== families.inet && family !== families.inet6))
    return { state: 'whole', length, address: undefined }
  if (rest < (family === families.inet ? 12 : 36)) return broken('it is too short for its addresses')
  return { state: 'whole', length, address: family === families.inet ? addressOf4(body) : addressOf6(body) }
}

export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (bytes.length === 0) return { state: 'part' }
  if (beginsLike(bytes, binaryStart)) return readBinary(bytes)
  if (beginsLike(bytes, textStart)) return bytes.length < textStart.length ? { state: 'part' } : readText(bytes)
  return broken('there is none')
}
