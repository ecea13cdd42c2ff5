/** What the engine does with objects of its bucket, one call each (Amazon S3 API, path style). */

import { elements, textOf } from '#engines/s3-shared/s3-wire.ts'
import type { ByteRange, ListedFile } from '#ports/files.ts'
import type { Bite } from './bites.ts'
import type { S3Client, S3Error } from './s3-client.ts'

/** Parts that are copied at the same time. */
const atOnce = 8

export type S3Objects = ReturnType<typeof makeS3Objects>

export function makeS3Objects(client: S3Client) {
  const { send, sendForText } = client

  /** Gives up what was begun when the work fails; what a crash leaves goes by a rule of the bucket (configuration.md). */
  async function multipart(key: string, work: (uploadId: string) => Promise<string[]>): Promise<void> {
    const uploadId = textOf(await sendForText({ method: 'POST', key, query: { uploads: '' } }), 'UploadId')
    try {
      const tags = await work(uploadId)
      const parts = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag}</ETag></Part>`)
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      await sendForText({ method: 'POST', key, query: { uploadId }, body })
    } catch (error) {
      await send({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined)
      throw error
    }
  }

  const partOf = (uploadId: string, number: number) => ({ partNumber: String(number), uploadId })

  async function copyPart(from: string, to: string, uploadId: string, number: number): Promise<string> {
    const headers = client.copySource(from)
    return textOf(await sendForText({ method: 'PUT', key: to, query: partOf(uploadId, number), headers }), 'ETag')
  }

  return {
    async put(key: string, { bytes, sha256 }: Bite): Promise<void> {
      await send({ method: 'PUT', key, headers: { 'x-amz-content-sha256': sha256 }, body: bytes })
    },
    multipart,
    async putPart(key: string, uploadId: string, number: number, { bytes, sha256 }: Bite): Promise<string> {
      const headers = { 'x-amz-content-sha256': sha256 }
      const response = await send({ method: 'PUT', key, query: partOf(uploadId, number), headers, body: bytes })
      return response.headers.get('etag') ?? ''
    },
    /** One object out of several, within the store; all but the last must be as large as a part has to be. */
    async join(from: readonly string[], to: string): Promise<void> {
      await multipart(to, async (uploadId) => {
        const tags: string[] = []
        for (let i = 0; i < from.length; i += atOnce) {
          const some = from.slice(i, i + atOnce)
          tags.push(...(await Promise.all(some.map((one, n) => copyPart(one, to, uploadId, i + n + 1)))))
        }
        return tags
      })
    },
    get: (key: string, range?: ByteRange): Promise<Response> =>
      send({ method: 'GET', key, ...(range && { headers: { range: `bytes=${range.start}-${range.end}` } }) }),
    async stat(key: string) {
      const response = await send({ method: 'HEAD', key }).catch((error: S3Error) => {
        if (error.status === 404) return undefined
        throw error
      })
      if (!response) return undefined
      const { headers } = response
      return {
        size: Number(headers.get('content-length')),
        modifiedAt: Date.parse(headers.get('last-modified') ?? ''),
      }
    },
    /** @param tag of the version that is meant; another one is refused */
    async copy(from: string, to: string, tag?: string | null): Promise<void> {
      const headers = { ...client.copySource(from), ...(tag && { 'x-amz-copy-source-if-match': tag }) }
      await sendForText({ method: 'PUT', key: to, headers })
    },
    async remove(key: string): Promise<void> {
      await send({ method: 'DELETE', key }).catch((error: S3Error) => {
        if (error.status !== 404) throw error
      })
    },
    /** In the order of their names. By the first version of the call, which every store knows. */
    async *list(start: string): AsyncGenerator<ListedFile> {
      const { prefix } = client
      let marker = ''
      for (let more = true; more; ) {
        const query: Record<string, string> = { prefix: prefix + start, ...(marker && { marker }) }
        const xml = await sendForText({ method: 'GET', key: '', query })
        for (const entry of elements(xml, 'Contents')) {
          marker = textOf(entry, 'Key')
          const size = Number(textOf(entry, 'Size'))
          yield { path: marker.slice(prefix.length), size, modifiedAt: Date.parse(textOf(entry, 'LastModified')) }
        }
        more = textOf(xml, 'IsTruncated') === 'true'
      }
    },
  }
}
