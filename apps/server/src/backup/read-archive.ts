/** Reads a backup from beginning to end and checks every byte of it on the way. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type * as z from 'zod'
import { decrypt, decryptedBytes, type Passphrase, saltBytes } from './encryption.ts'
import {
  BackupError,
  damaged,
  encryptedFirstLine,
  encryptedVersion,
  endSchema,
  firstLine,
  formatName,
  frame,
  frameHeadBytes,
  type Header,
  headerSchema,
  maxFrameBytes,
  type Part,
  partName,
  partSchema,
  type Trailer,
  trailerSchema,
} from './format.ts'
import { makePartTally, makeTally } from './tally.ts'

export interface Visitor {
  header?(header: Header): Promise<void>
  /** What it does not take of the content is read and checked all the same. */
  part?(part: Part, content: AsyncIterable<Buffer>): Promise<void>
}

export interface ArchivePlace {
  file: string
  /** Of an encrypted one; others do not ask for it. */
  passphrase?: Passphrase | undefined
}

interface Body {
  /** Where the packed stream begins, encrypted or not, and how long it is when it is not encrypted any more. */
  start: number
  packedBytes: number
  sealedBy?: { salt: Buffer; passphrase: Passphrase }
}

async function refuseForeign({ file, passphrase }: ArchivePlace): Promise<Body> {
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw new BackupError(
      cause.code === 'ENOENT'
        ? phrase('没有文件 {file}', { file })
        : phrase('无法读取 {file}：{why}', { file, why: cause.message }),
      { cause },
    )
  })
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new BackupError(phrase('{file} 不是文件', { file }))
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(80), 0, 80, 0)
    const begin = buffer.subarray(0, bytesRead)
    const line = begin.subarray(0, begin.indexOf('\n') + 1).toString('latin1')
    const [name, version] = begin.toString('latin1').split(/[ \n]/)
    if (name !== formatName) throw new BackupError(phrase('{file} 不是 iThings Core 的备份', { file }))
    if (Number(version) > encryptedVersion) {
      throw new BackupError(phrase('{file} 由本程序的更新版本生成：请用那个版本恢复', { file }))
    }
    if (line === firstLine) return { start: line.length, packedBytes: found.size - line.length }
    if (line !== encryptedFirstLine) throw damaged(phrase('第一行不正确'))
    if (passphrase === undefined) {
      throw new BackupError(
        phrase('{file} 已加密：请设置 BACKUP_PASSPHRASE，或用 --passphrase-file 指定文件', { file }),
      )
    }
    const start = line.length + saltBytes
    const salt = begin.subarray(line.length, start)
    return { start, packedBytes: decryptedBytes(found.size - start), sealedBy: { salt, passphrase } }
  } finally {
    await handle.close()
  }
}

/** Bytes by number out of chunks of any size. */
function makeByteReader(source: Readable) {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<Buffer | undefined> => {
    try {
      const { value, done } = await chunks.next()
      return done ? undefined : value
    } catch (cause) {
      if (cause instanceof BackupError) throw cause
      throw damaged((cause as Error).message, cause)
    }
  }
  return {
    async take(length: number): Promise<Buffer> {
      const held = [rest]
      let size = rest.length
      while (size < length) {
        const chunk = await more()
        if (!chunk) throw damaged(phrase('它没有完就结束了'))
        held.push(chunk)
        size += chunk.length
      }
      const all = held.length === 1 ? rest : Buffer.concat(held)
      rest = all.subarray(length)
      return all.subarray(0, length)
    },
    isAtEnd: async () => rest.length === 0 && (await more()) === undefined,
  }
}

type ByteReader = ReturnType<typeof makeByteReader>

async function nextFrame(reader: ByteReader): Promise<{ type: number; body: Buffer }> {
  const head = await reader.take(frameHeadBytes)
  const length = head.readUInt32BE(1)
  if (length > maxFrameBytes) throw damaged(phrase('其中一部分的长度不可能'))
  return { type: head.readUInt8(0), body: await reader.take(length) }
}

function parse<S extends z.ZodType>(schema: S, body: Buffer, what: Phrase): z.output<S> {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')))
  } catch (cause) {
    throw damaged(phrase('无法读取它的{what}', { what }), cause)
  }
}

async function walk(reader: ByteReader, visitor: Visitor): Promise<Trailer> {
  const first = await nextFrame(reader)
  if (first.type !== frame.header) throw damaged(phrase('没有文件头'))
  const whole = makeTally(first.body)
  await visitor.header?.(parse(headerSchema, first.body, phrase('文件头')))
  for (;;) {
    const { type, body } = await nextFrame(reader)
    if (type === frame.trailer) {
      const trailer = parse(trailerSchema, body, phrase('文件尾'))
      if (whole.trailer().sha256 !== trailer.sha256) throw damaged(phrase('各部分不属于同一份备份'))
      if (!(await reader.isAtEnd())) throw damaged(phrase('结尾之后还有内容'))
      return trailer
    }
    if (type !== frame.part) throw damaged(phrase('各部分的次序不对'))
    const part = parse(partSchema, body, phrase('部分清单'))
    await walkPart(reader, part, visitor, whole)
  }
}

async function walkPart(
  reader: ByteReader,
  part: Part,
  visitor: Visitor,
  whole: ReturnType<typeof makeTally>,
): Promise<void> {
  const tally = makePartTally(part)
  let endText: Buffer | undefined
  const content = (async function* () {
    while (!endText) {
      const { type, body } = await nextFrame(reader)
      if (type === frame.end) endText = body
      else if (type !== frame.data) throw damaged(phrase('各部分的次序不对'))
      else {
        tally.add(body)
        yield body
      }
    }
  })()
  // Not with for await, which would close the content when the visitor stops early.
  await visitor.part?.(part, { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) })
  for (;;) if ((await content.next()).done) break
  if (!endText) throw damaged(phrase('有一部分没有结尾'))
  const end = parse(endSchema, endText, phrase('一部分的结尾'))
  const found = tally.end()
  if (found.sha256 !== end.sha256 || found.bytes !== end.bytes || found.rows !== end.rows) {
    throw damaged(phrase('{part}与存入时不同', { part: partName(part) }))
  }
  whole.add(part, end, endText)
}

/** Errors of the visitor come out as they are; anything wrong with the file is a BackupError. */
export async function readArchive(place: ArchivePlace, visitor: Visitor, signal: AbortSignal): Promise<Trailer> {
  const { start, packedBytes, sealedBy } = await refuseForeign(place)
  const source = createReadStream(place.file, { start, highWaterMark: 256 * 1024 })
  const unpacked = createZstdDecompress()
  // A failure of either destroys the other; the reader of `unpacked` is who tells.
  const done = () => undefined
  if (sealedBy) pipeline(source, (sealed: AsyncIterable<Buffer>) => decrypt(sealed, sealedBy), unpacked, done)
  else pipeline(source, unpacked, done)
  const stop = () => source.destroy(new Error('stopped'))
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const trailer = await walk(makeByteReader(unpacked), visitor)
    // What follows the end of the packed stream is not unpacked at all.
    if (unpacked.bytesWritten !== packedBytes) throw damaged(phrase('结尾之后还有内容'))
    return trailer
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    source.destroy()
    unpacked.destroy()
  }
}
