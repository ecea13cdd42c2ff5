import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { firstLine, frame, frameHeadBytes, type Header, type Part, type Trailer } from './format.ts'
import { makePartTally, makeTally } from './tally.ts'

export interface OpenPart {
  part: Part
  content: AsyncIterable<Buffer>
}

/** A busy machine: the quick level already takes most of what there is to take out of COPY text. */
const compression = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}

function frameHead(type: number, length: number): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUInt8(type, 0)
  head.writeUInt32BE(length, 1)
  return head
}

/** The frames one after another, made as they are taken: nothing but the bite on its way is in memory. */
async function* frames(header: Header, parts: AsyncIterable<OpenPart>, done: (trailer: Trailer) => void) {
  const headerText = Buffer.from(JSON.stringify(header))
  const whole = makeTally(headerText)
  yield frameHead(frame.header, headerText.length)
  yield headerText
  for await (const { part, content } of parts) {
    const partText = Buffer.from(JSON.stringify(part))
    yield frameHead(frame.part, partText.length)
    yield partText
    const tally = makePartTally(part)
    for await (const chunk of content) {
      tally.add(chunk)
      yield frameHead(frame.data, chunk.length)
      yield chunk
    }
    const end = tally.end()
    const endText = Buffer.from(JSON.stringify(end))
    whole.add(part, end, endText)
    yield frameHead(frame.end, endText.length)
    yield endText
  }
  const trailer = whole.trailer()
  const trailerText = Buffer.from(JSON.stringify(trailer))
  yield frameHead(frame.trailer, trailerText.length)
  yield trailerText
  done(trailer)
}

async function* withFirstLine(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(firstLine)
  yield* source
}

/** The name in the folder must be on the disk too. Some file systems cannot sync a folder; they do it by themselves. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** The file appears under its name when all of it is on the disk; for its owner only: it holds every secret. */
export async function writeArchive(
  file: string,
  header: Header,
  parts: AsyncIterable<OpenPart>,
  signal: AbortSignal,
): Promise<Trailer> {
  const half = `${file}.part`
  let trailer: Trailer | undefined
  const made = frames(header, parts, (one) => {
    trailer = one
  })
  try {
    const target = createWriteStream(half, { mode: 0o600, flush: true })
    await pipeline(made, createZstdCompress(compression), withFirstLine, target, { signal })
    await rename(half, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
  if (!trailer) throw new Error('the backup has no end')
  return trailer
}
