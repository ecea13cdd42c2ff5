/**
 * Stands between a socket and aedes. aedes reads on for as long as bytes arrive and buffers whatever length a packet
 * announces; the gate looks at the frames only: too big ones end the connection before they are buffered, and a PUBLISH
 * passes when there is room for it, otherwise the rest stays in the socket and TCP slows the device down.
 */
import type { Duplex } from 'node:stream'

const connectType = 1
const publishType = 3

export interface GateRules {
  connectBytes: number
  packetBytes: number
  /** Asked for every PUBLISH; false: hold it and everything behind it until `resume`. */
  mayPass(): boolean
  /** The stream is not MQTT, or a packet is too big; the connection has to end. */
  broken(why: 'protocol' | 'packetSize', detail: string): void
}

export interface FrameGate {
  /** The client has signed in: what it sent behind its CONNECT may pass. */
  open(): void
  resume(): void
}

export function installGate(stream: Duplex, rules: GateRules): FrameGate {
  const read = stream.read
  // Bytes of the current frame that are still to come, and how far its header has been read.
  let left = 0
  let inHeader = false
  let length = 0
  let shift = 0
  let held = false
  let stage: 'connect' | 'signing-in' | 'open' | 'broken' = 'connect'

  const end = (why: 'protocol' | 'packetSize', detail: string): undefined => {
    stage = 'broken'
    rules.broken(why, detail)
    return undefined
  }

  /** Looks at the first byte of a frame. undefined: broken. */
  function mayStart(type: number): boolean | undefined {
    if (stage === 'connect') return type === connectType || end('protocol', '第一个报文不是 CONNECT')
    if (stage === 'signing-in') return false
    return type !== publishType || rules.mayPass()
  }

  /** One more byte of the length. undefined: broken. */
  function takeLength(byte: number): true | undefined {
    length |= (byte & 127) << shift
    shift += 7
    if (byte & 128) return shift < 28 || end('protocol', '报文长度不合法')
    const most = stage === 'connect' ? rules.connectBytes : rules.packetBytes
    if (length > most) return end('packetSize', `报文 ${length} 字节，上限 ${most} 字节`)
    inHeader = false
    left = length
    if (stage === 'connect') stage = 'signing-in'
    return true
  }

  /** How many bytes of the chunk may go on; undefined: broken. */
  function measure(chunk: Buffer): number | undefined {
    let at = 0
    while (at < chunk.length) {
      if (left > 0) {
        const step = Math.min(left, chunk.length - at)
        left -= step
        at += step
      } else if (inHeader) {
        if (takeLength(chunk[at++] as number) === undefined) return undefined
      } else {
        const start = mayStart((chunk[at] as number) >> 4)
        if (start === undefined) return undefined
        if (!start) {
          held = true
          return at
        }
        at++
        inHeader = true
        length = 0
        shift = 0
      }
    }
    return at
  }

  stream.read = (size?: number): Buffer | null => {
    // The stream itself asks for 0 bytes to get going.
    if (size === 0) return read.call(stream, 0)
    const chunks: Buffer[] = []
    // All there is: since Node 26 a read gives one chunk, and aedes, which reads once, would wait for the rest for ever.
    while (!held) {
      const chunk: Buffer | null = stage === 'broken' ? null : read.call(stream)
      if (chunk === null) break
      const passed = measure(chunk)
      if (passed === undefined) return null
      // Kept in the stream, so that its end is not told before the rest has been read.
      if (passed < chunk.length) stream.unshift(chunk.subarray(passed))
      if (passed > 0) chunks.push(passed < chunk.length ? chunk.subarray(0, passed) : chunk)
    }
    const [first] = chunks
    return first === undefined ? null : chunks.length === 1 ? first : Buffer.concat(chunks)
  }

  const resume = () => {
    if (!held || stage === 'broken') return
    held = false
    stream.emit('readable')
  }
  return {
    resume,
    open() {
      if (stage === 'signing-in') stage = 'open'
      resume()
    },
  }
}
