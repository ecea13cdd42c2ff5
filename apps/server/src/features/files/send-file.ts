/** One stored file as an answer: whole or one range, with a validator, at a pace, never in memory (RFC 9110 13, 14). */

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import parseRange from 'range-parser'
import type { ByteRange } from '#ports/files.ts'

// A stream that gives no more than so many bytes a second, evenly: many devices share one uplink.

/** Small steps keep it even, and let go of a closed connection soon. */
const stepsPerSecond = 10

async function* paced(source: AsyncIterable<Buffer>, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const step = Math.max(1, Math.floor(bytesPerSecond / stepsPerSecond))
  const start = performance.now()
  let sent = 0
  for await (const chunk of source) {
    for (let from = 0; from < chunk.length; from += step) {
      const early = (sent / bytesPerSecond) * 1000 - (performance.now() - start)
      if (early > 0) await sleep(early)
      const piece = chunk.subarray(from, from + step)
      sent += piece.length
      yield piece
    }
  }
}

const atPace = (source: Readable, bytesPerSecond: number): Readable =>
  Readable.from(paced(source, bytesPerSecond), { objectMode: false })

const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
}
/** These leave the house compressed: positions in them mean nothing. Exports can be large, and are resumed instead. */
const compressed = /^(text\/(?!csv)|application\/json)/

export interface SentFile {
  path: string
  size: number
  modifiedAt: number
  /** Makes it a download under that name. */
  name: string
  /** Never in parts. */
  whole: boolean
  read(range: ByteRange | undefined): Readable
  /** Bytes a second. */
  bandwidth: number | undefined
}

/** Files that are named by their digest are told apart by it on every server; stored files never change. */
const tagOf = ({ path, size, modifiedAt }: SentFile): string =>
  `"${/([0-9a-f]{64})\.\w+$/.exec(path)?.[1] ?? `${size.toString(36)}-${Math.floor(modifiedAt).toString(36)}`}"`

/** undefined: all of it. RFC 9110 14.2: what cannot be understood, and more than one range, counts as none. */
function rangeOf({ headers }: FastifyRequest, size: number, tag: string): ByteRange | 'unsatisfiable' | undefined {
  const { range } = headers
  const condition = headers['if-range']
  if (range === undefined || (condition !== undefined && condition !== tag)) return undefined
  const parsed = parseRange(size, range)
  if (parsed === -1) return 'unsatisfiable'
  if (parsed === -2 || parsed.type !== 'bytes' || parsed.length !== 1) return undefined
  return parsed[0]
}

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): FastifyReply {
  const { size, name, whole } = file
  const type = types[file.path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
  reply
    .header('content-disposition', name ? `attachment; filename*=UTF-8''${encodeURIComponent(name)}` : 'inline')
    .header('cache-control', whole ? 'no-store' : 'private, max-age=600')
  let range: ByteRange | undefined
  if (!whole && !compressed.test(type)) {
    const tag = tagOf(file)
    reply.header('accept-ranges', 'bytes').header('etag', tag)
    // The compressor's own way to be left out: lengths and positions are those of the file.
    request.headers['x-no-compression'] = 'file'
    if (request.headers['if-none-match'] === tag) return reply.status(304).send()
    const asked = rangeOf(request, size, tag)
    if (asked === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`)
      throw refusal(errors.outOfRange, '文件只有 {count} 字节', { count: size }, { status: 416 })
    }
    range = asked
  }
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.type(type).header('content-length', range ? range.end - range.start + 1 : size)
  // The framework reads the stream of a HEAD to its end only to throw it away.
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  const content = file.read(range)
  return reply.send(file.bandwidth === undefined ? content : atPace(content, file.bandwidth))
}
