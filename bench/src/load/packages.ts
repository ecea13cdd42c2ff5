/** Firmware files of any size over the network: made piece by piece, hashed on the way, never held as a whole. */
import { createHash, randomFillSync } from 'node:crypto'
import { resumableUpload } from '@ithings/contract/features/files.ts'

export interface Place {
  origin: string
  token: string
}

export interface UploadedPackage {
  filePath: string
  md5: string
  sha256: string
}

const pieceBytes = 8 * 1024 * 1024
const tus = { 'tus-resumable': '1.0.0' }

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function expectStatus(response: Response, status: number): Promise<Response> {
  if (response.status !== status) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return response
}

/** By the tus protocol, as the console does it. */
export async function uploadPackage({ origin, token }: Place, name: string, bytes: number): Promise<UploadedPackage> {
  const headers = { ...tus, 'iThings-token': token }
  const words = { filename: name, business: 'productManage', scene: 'ota' }
  const metadata = Object.entries(words).map(([key, value]) => `${key} ${base64(value)}`)
  const created = await expectStatus(
    await fetch(`${origin}${resumableUpload.path}`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': String(bytes), 'upload-metadata': metadata.join(',') },
    }),
    201,
  )
  const where = new URL(created.headers.get('location') ?? '', `${origin}${resumableUpload.path}`)
  const md5 = createHash('md5')
  const sha256 = createHash('sha256')
  const piece = randomFillSync(Buffer.alloc(Math.min(pieceBytes, bytes)))
  let filePath = ''
  for (let from = 0; from < bytes; from += pieceBytes) {
    // Not the same piece again and again: a store might notice.
    piece.writeUInt32BE(from / pieceBytes)
    const part = piece.subarray(0, Math.min(pieceBytes, bytes - from))
    md5.update(part)
    sha256.update(part)
    const patched = await expectStatus(
      await fetch(where, {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
        body: part,
      }),
      204,
    )
    filePath = patched.headers.get(resumableUpload.filePathHeader) ?? ''
  }
  if (filePath === '') throw new Error('the platform named no place of the uploaded file')
  return { filePath, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
}

/** @returns the SHA-256 of what came */
export async function downloadHash(url: string): Promise<{ sha256: string; bytes: number }> {
  const response = await expectStatus(await fetch(url), 200)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}
