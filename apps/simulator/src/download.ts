/** A virtual device fetches a firmware file: piece by piece (Range), hashed on the way, nothing kept. */
import { createHash } from 'node:crypto'
import type { DeviceWords } from './device-words.ts'

export interface DownloadFile {
  name: string
  size: number
  /** Lower-case hex by `signMethod`; '' is not compared. */
  signature: string
  url: string
}

export class DownloadFault extends Error {
  /** As devices tell it in a progress report (device-protocol.md 8): below 0. */
  readonly step: number
  constructor(step: number, text: string, cause?: unknown) {
    super(text, { cause })
    this.step = step
  }
}

const pieceBytes = 1024 * 1024
const pieceTimeoutMs = 60_000
const tries = 3

const hashes: Record<string, string> = { md5: 'md5', sha256: 'sha256', 'sha@256': 'sha256' }

interface Download {
  file: DownloadFile
  signMethod: string
  signal: AbortSignal
  words: DeviceWords
}

async function fetchPiece({ file, signal, words }: Download, from: number, to: number): Promise<Uint8Array> {
  const response = await fetch(file.url, {
    headers: { range: `bytes=${from}-${to}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(pieceTimeoutMs)]),
  })
  if (response.status !== 206) {
    await response.body?.cancel()
    throw new DownloadFault(-2, words.wrongStatus(response.status))
  }
  const piece = new Uint8Array(await response.arrayBuffer())
  if (piece.length !== to - from + 1) throw new DownloadFault(-2, words.wrongLength)
  return piece
}

/** A connection may break in the middle: the same piece again, as a device with Range does. */
async function fetchSurely(one: Download, from: number, to: number): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchPiece(one, from, to)
    } catch (cause) {
      if (one.signal.aborted || cause instanceof DownloadFault) throw cause
      if (attempt === tries) throw new DownloadFault(-2, one.words.noConnection, cause)
    }
  }
}

/** @param passed told the bytes of each piece */
export async function download(one: Download, passed: (bytes: number) => Promise<void>): Promise<void> {
  const { file, signMethod, words } = one
  const method = hashes[signMethod.toLowerCase()]
  const hash = method === undefined ? undefined : createHash(method)
  for (let from = 0; from < file.size; from += pieceBytes) {
    const piece = await fetchSurely(one, from, Math.min(from + pieceBytes, file.size) - 1)
    hash?.update(piece)
    await passed(piece.length)
  }
  if (hash && file.signature !== '' && hash.digest('hex') !== file.signature.toLowerCase()) {
    throw new DownloadFault(-3, words.wrongDigest(file.name))
  }
}
