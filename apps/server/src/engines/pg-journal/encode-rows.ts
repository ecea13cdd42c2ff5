/** Rows of the journal in COPY's binary format: no text to make here and none to read there. */
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import { shortTopic } from '#ports/journal-topic.ts'

const columns =
  'at, seq, device_id, device_time, code, latency, log_days, kind, up, adds, product_id, topic, method, token, msg, data_id, content'
export const copyStatement = `copy journal (${columns}) from stdin with (format binary)`

const columnCount = 17
const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** Lengths and fixed columns of a row, rounded up. */
const fixedBytes = 160
const high = 4_294_967_296
const openingBrace = 123

/** Whether the packer takes something out of the row (JournalEntry.values). */
export const addsToHistory = ({ kind, values, code, up, dataID, repeated, content }: JournalEntry): boolean =>
  // Anything but an object would stop the packer.
  content.charCodeAt(0) === openingBrace &&
  (kind === JournalKind.event
    ? up && code === 200 && dataID !== '' && repeated !== true
    : kind === JournalKind.property && values !== undefined)

const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '')

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), cleanValue(member)]))
}

/** jsonb knows neither the character 0 nor half characters, which JSON can spell. */
export function jsonbText(content: string): string {
  if (!content.includes('\\u')) return content
  return JSON.stringify(cleanValue(JSON.parse(content)))
}

/** Text that PostgreSQL takes in any case; for the one row in a million that it refused. */
export const cleanEntry = (entry: JournalEntry): JournalEntry => ({
  ...entry,
  topic: cleanText(entry.topic),
  method: cleanText(entry.method),
  token: cleanText(entry.token),
  msg: cleanText(entry.msg),
  dataID: cleanText(entry.dataID),
  content: cleanText(entry.content),
})

/** Keeps one buffer and hands out a view of it: use it before the next call. */
export function makeRowEncoder() {
  let buffer = Buffer.allocUnsafe(256 * 1024)
  let end = 0

  const grow = (bytes: number) => {
    if (end + bytes <= buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, end + bytes))
    buffer.copy(larger, 0, 0, end)
    buffer = larger
  }
  const bigint = (value: number) => {
    end = buffer.writeInt32BE(8, end)
    end = buffer.writeInt32BE(Math.floor(value / high), end)
    end = buffer.writeUInt32BE(value - Math.floor(value / high) * high, end)
  }
  const integer = (value: number) => {
    end = buffer.writeInt32BE(4, end)
    end = buffer.writeInt32BE(value | 0, end)
  }
  const smallint = (value: number) => {
    end = buffer.writeInt32BE(2, end)
    end = buffer.writeInt16BE(value, end)
  }
  const boolean = (value: boolean) => {
    end = buffer.writeInt32BE(1, end)
    end = buffer.writeUInt8(value ? 1 : 0, end)
  }
  const text = (value: string) => {
    const bytes = buffer.write(value, end + 4)
    buffer.writeInt32BE(bytes, end)
    end += 4 + bytes
  }

  const row = (entry: JournalEntry) => {
    const adds = addsToHistory(entry)
    const topic = shortTopic(entry.topic, entry)
    const content = adds ? jsonbText(entry.content) : entry.content
    const { productID, method, token, msg, dataID } = entry
    const characters =
      productID.length + topic.length + method.length + token.length + msg.length + dataID.length + content.length
    grow(fixedBytes + characters * 3)
    end = buffer.writeInt16BE(columnCount, end)
    bigint(entry.at)
    bigint(entry.seq)
    bigint(entry.deviceID)
    bigint(entry.deviceTime)
    integer(entry.code)
    integer(Math.min(entry.latency, 2_147_483_647))
    smallint(entry.logDays)
    smallint(entry.kind)
    boolean(entry.up)
    boolean(adds)
    text(productID)
    text(topic)
    text(method)
    text(token)
    text(msg)
    text(dataID)
    text(content)
  }

  return (entries: readonly JournalEntry[]): Buffer => {
    end = signature.copy(buffer)
    for (const entry of entries) row(entry)
    grow(2)
    end = buffer.writeInt16BE(-1, end)
    return buffer.subarray(0, end)
  }
}
