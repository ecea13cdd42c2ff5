import { randomBytes } from 'node:crypto'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { phrase } from '@ithings/contract/text.ts'
import { encrypt, type Passphrase } from './encryption.ts'
import {
  BackupError,
  encryptedFirstLine,
  firstLine,
  frame,
  frameHeadBytes,
  type Header,
  type Part,
  type Trailer,
} from './format.ts'
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

const wrapped = (passphrase: Passphrase | undefined) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield Buffer.from(passphrase === undefined ? firstLine : encryptedFirstLine)
    yield* passphrase === undefined ? source : encrypt(source, passphrase)
  }

/** The name in the folder must be on the disk too. Some file systems cannot sync a folder; they do it by themselves. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Two backups of one name at a time must not write into each other's file. */
const halfOf = (file: string): string => `${file}.${randomBytes(4).toString('hex')}.part`
const halfPattern = /\.[0-9a-f]{8}\.part$/
const abandonedMs = 60 * 60_000

/** What killed backups of this name left; one that is being written is never that old. */
async function sweepAbandoned(file: string): Promise<void> {
  const folder = dirname(file)
  for (const name of await readdir(folder)) {
    if (!halfPattern.test(name) || name.replace(halfPattern, '') !== basename(file)) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(join(folder, name), { force: true })
  }
}

/** Never in the place of another file. */
async function giveName(half: string, file: string): Promise<void> {
  try {
    await link(half, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(file)
    if (code === 'ENOENT') throw error
    // A file system without links.
    await rename(half, file)
    return
  }
  await rm(half)
}

export const taken = (file: string) => new BackupError(phrase('{file} 已存在：请换一个文件名', { file }))

/** The file appears under its name when all of it is on the disk; for its owner only: it holds every secret. */
export async function writeArchive(
  file: string,
  header: Header,
  parts: AsyncIterable<OpenPart>,
  { signal, passphrase }: { signal: AbortSignal; passphrase?: Passphrase | undefined },
): Promise<Trailer> {
  const half = halfOf(file)
  let trailer: Trailer | undefined
  const made = frames(header, parts, (one) => {
    trailer = one
  })
  const cannot = (cause: Error): never => {
    throw new BackupError(phrase('无法写入 {file}：{why}', { file, why: cause.message }), { cause })
  }
  await sweepAbandoned(file).catch(cannot)
  const handle = await open(half, 'wx', 0o600).catch(cannot)
  try {
    const target = handle.createWriteStream({ flush: true })
    await pipeline(made, createZstdCompress(compression), wrapped(passphrase), target, { signal })
    await giveName(half, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(half, { force: true })
    throw error
  }
  if (!trailer) throw new Error('the backup has no end')
  return trailer
}
