/** The wire format of Kafka as far as the broker of the tests speaks it: versions without compact fields. */

export interface KafkaRecord {
  key: string
  value: string
  headers: Record<string, string>
  /** ms */
  time: number
}

export interface RecordBatch {
  producerId: bigint
  epoch: number
  sequence: number
  records: KafkaRecord[]
}

export class WireReader {
  readonly #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  #skip(size: number): number {
    this.at += size
    return this.at - size
  }
  int8 = (): number => this.#bytes.readInt8(this.#skip(1))
  int16 = (): number => this.#bytes.readInt16BE(this.#skip(2))
  int32 = (): number => this.#bytes.readInt32BE(this.#skip(4))
  uint32 = (): number => this.#bytes.readUInt32BE(this.#skip(4))
  int64 = (): bigint => this.#bytes.readBigInt64BE(this.#skip(8))
  bytes = (size: number): Buffer => this.#bytes.subarray(this.#skip(size), this.at)
  rest = (): Buffer => this.#bytes.subarray(this.at)
  text(size = this.int16()): string {
    return size < 0 ? '' : this.bytes(size).toString()
  }
  list<T>(read: () => T, count = this.int32()): T[] {
    return Array.from({ length: Math.max(count, 0) }, read)
  }
  /** Zigzag, seven bits in a byte. */
  varint(): number {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(this.int8() & 255)
      value |= (byte & 127n) << shift
      if (byte < 128n) return Number((value >> 1n) ^ -(value & 1n))
    }
  }
}

export const int8 = (value: number): Buffer => Buffer.from([value & 255])
export const int16 = (value: number): Buffer => Buffer.from([(value >> 8) & 255, value & 255])
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
export const int64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}
export const text = (value: string | null): Buffer =>
  value === null ? int16(-1) : Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
export const sized = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes])
export const list = (parts: Buffer[]): Buffer => Buffer.concat([int32(parts.length), ...parts])

function crc32c(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function readRecord(reader: WireReader, baseTime: number): KafkaRecord {
  reader.varint()
  reader.int8()
  const time = baseTime + reader.varint()
  reader.varint()
  const read = () => reader.text(reader.varint())
  const [key, value] = [read(), read()]
  const headers = reader.list(() => [read(), read()] as const, reader.varint())
  return { key, value, headers: Object.fromEntries(headers), time }
}

/** @returns undefined when the bytes are not what their checksum says */
export function readBatch(bytes: Buffer): RecordBatch | undefined {
  const reader = new WireReader(bytes)
  reader.int64()
  const length = reader.int32()
  reader.int32()
  const magic = reader.int8()
  const sum = reader.uint32()
  if (magic !== 2 || length !== bytes.length - 12 || crc32c(reader.rest()) !== sum) return undefined
  reader.int16()
  const last = reader.int32()
  const baseTime = Number(reader.int64())
  reader.int64()
  const head = { producerId: reader.int64(), epoch: reader.int16(), sequence: reader.int32() }
  const records = reader.list(() => readRecord(reader, baseTime))
  return last === records.length - 1 ? { ...head, records } : undefined
}
