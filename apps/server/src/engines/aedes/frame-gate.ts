/**
 * Stands between a socket and aedes. aedes reads on for as long as bytes arrive and buffers whatever length a packet
 * announces; the gate looks at the frames only: too big ones end the connection before they are buffered, and a PUBLISH
 * passes when there is room for it, otherwise the rest stays in the socket and TCP slows the device down.
 */

import type { Duplex } from 'node:stream'
import { type Phrase, phrase } from '@ithings/contract/text.ts'

const connectType = 1
const publishType = 3
/** Node reads into pieces of this size and small ones share a pool of less. */
const pooledBytes = 8_192

/** What is left of a piece holds all of it: once less than half is left, it gets a place of its own. */
const release = (rest: Buffer): Buffer =>
  rest.buffer.byteLength > pooledBytes && rest.length * 2 < rest.buffer.byteLength ? Buffer.from(rest) : rest

/** Shared by all gates; each tells whose it is. */
export interface GateRules<Owner> {
  connectBytes: number
  packetBytes: number
  /** Asked for every PUBLISH; false: hold it and everything behind it until `resume`. */
  mayPass(owner: Owner): boolean
  /** The stream is not MQTT, or a packet is too big; the connection has to end. */
  broken(owner: Owner, why: 'protocol' | 'packetSize', detail: Phrase): void
}

export class FrameGate<Owner> {
  readonly #stream: Duplex
  readonly #read: Duplex['read']
  readonly #rules: GateRules<Owner>
  readonly #owner: Owner
  #stage: 'connect' | 'signing-in' | 'open' | 'broken' = 'connect'
  #held = false
  /** Bytes of the current frame that are still to come, and how far its header has been read. */
  #left = 0
  #inHeader = false
  #length = 0
  #shift = 0

  constructor(stream: Duplex, rules: GateRules<Owner>, owner: Owner) {
    this.#stream = stream
    this.#rules = rules
    this.#owner = owner
    this.#read = stream.read
    stream.read = (size?: number) => this.#readThrough(size)
  }

  /** The client has signed in: what it sent behind its CONNECT may pass. */
  open(): void {
    if (this.#stage === 'signing-in') this.#stage = 'open'
    this.resume()
  }

  resume(): void {
    if (!this.#held || this.#stage === 'broken') return
    this.#held = false
    this.#stream.emit('readable')
  }

  #end(why: 'protocol' | 'packetSize', detail: Phrase): undefined {
    this.#stage = 'broken'
    this.#rules.broken(this.#owner, why, detail)
    return undefined
  }

  /** Looks at the first byte of a frame. undefined: broken. */
  #mayStart(type: number): boolean | undefined {
    if (this.#stage === 'connect')
      return type === connectType || this.#end('protocol', phrase('第一个报文不是 CONNECT'))
    if (this.#stage === 'signing-in') return false
    return type !== publishType || this.#rules.mayPass(this.#owner)
  }

  /** One more byte of the length. undefined: broken. */
  #takeLength(byte: number): true | undefined {
    this.#length |= (byte & 127) << this.#shift
    this.#shift += 7
    if (byte & 128) return this.#shift < 28 || this.#end('protocol', phrase('报文长度不合法'))
    const most = this.#stage === 'connect' ? this.#rules.connectBytes : this.#rules.packetBytes
    if (this.#length > most)
      return this.#end('packetSize', phrase('报文 {bytes} 字节，上限 {most} 字节', { bytes: this.#length, most }))
    this.#inHeader = false
    this.#left = this.#length
    if (this.#stage === 'connect') this.#stage = 'signing-in'
    return true
  }

  /** How many bytes of the chunk may go on; undefined: broken. */
  #measure(chunk: Buffer): number | undefined {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - at)
        this.#left -= step
        at += step
      } else if (this.#inHeader) {
        if (this.#takeLength(chunk[at++] as number) === undefined) return undefined
      } else {
        const start = this.#mayStart((chunk[at] as number) >> 4)
        if (start === undefined) return undefined
        if (!start) {
          this.#held = true
          return at
        }
        at++
        this.#inHeader = true
        this.#length = 0
        this.#shift = 0
      }
    }
    return at
  }

  #readThrough(size: number | undefined): Buffer | null {
    const stream = this.#stream
    // The stream itself asks for 0 bytes to get going.
    if (size === 0) return this.#read.call(stream, 0)
    const chunks: Buffer[] = []
    // All there is: since Node 26 a read gives one chunk, and aedes, which reads once, would wait for the rest for ever.
    while (!this.#held) {
      const chunk: Buffer | null = this.#stage === 'broken' ? null : this.#read.call(stream)
      if (chunk === null) break
      const passed = this.#measure(chunk)
      if (passed === undefined) return null
      // Kept in the stream, so that its end is not told before the rest has been read.
      if (passed < chunk.length) stream.unshift(release(chunk.subarray(passed)))
      if (passed > 0) chunks.push(passed < chunk.length ? chunk.subarray(0, passed) : chunk)
    }
    const [first] = chunks
    return first === undefined ? null : chunks.length === 1 ? first : Buffer.concat(chunks)
  }
}
