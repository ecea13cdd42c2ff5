/** Signed calls to one bucket: tried again when the store stumbles, refused with its own words when it refuses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { encode, encodePath, textOf } from '#engines/s3-shared/s3-wire.ts'
import type { S3Place } from './s3-place.ts'

const tries = 4
const firstPauseMs = 100

/** What the store answered; status 0: nothing. */
export class S3Error extends Error {
  readonly status: number
  readonly code: string
  constructor(message: string, status: number, code: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
    this.code = code
  }
}

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Without the prefix of the place; '': the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer> | string
  signal?: AbortSignal
}

function refusal(status: number, text: string): S3Error {
  const code = textOf(text, 'Code') || `HTTP ${status}`
  return new S3Error(textOf(text, 'Message') || `the store answered ${status}`, status, code)
}

export type S3Client = ReturnType<typeof makeS3Client>

export function makeS3Client(place: S3Place) {
  const { accessKeyId, secretAccessKey, region, prefix } = place
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })

  const urlOf = (address: string, key: string, query: Record<string, string> = {}): string => {
    const path = key === '' ? '' : `/${encodePath(prefix + key)}`
    const search = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
    return `${address}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`
  }

  async function once({ method, key, query, headers, body, signal }: S3Call): Promise<Response> {
    const init = { method, headers: headers ?? {}, ...(body !== undefined && { body }), ...(signal && { signal }) }
    const request = await aws.sign(urlOf(place.address, key, query), init)
    return fetch(request).catch((cause: Error) => {
      const why = (cause.cause as Error | undefined)?.message ?? cause.message
      throw new S3Error(`${new URL(place.address).origin} does not answer: ${why}`, 0, 'NoAnswer', cause)
    })
  }

  /** Every call may be repeated: each of them puts the same thing at the same place. */
  async function send(call: S3Call): Promise<Response> {
    for (let n = 1; ; n++) {
      const failure = await once(call).then(
        async (response) => (response.ok ? response : refusal(response.status, await response.text())),
        (error: S3Error) => error,
      )
      if (!(failure instanceof S3Error)) return failure
      const passes = failure.status === 0 || failure.status === 429 || failure.status >= 500
      if (!passes || n === tries || call.signal?.aborted) throw failure
      await sleep(firstPauseMs * 2 ** n)
    }
  }

  return {
    send,
    /** Copying and joining may fail after their status was sent: then the body says so. */
    async sendForText(call: S3Call): Promise<string> {
      const text = await (await send(call)).text()
      if (/<Error[\s>]/.test(text)) throw refusal(500, text)
      return text
    },
    /** The header that names the source of a copy. */
    copySource: (key: string) => ({ 'x-amz-copy-source': `/${place.bucket}/${encodePath(prefix + key)}` }),
    /** Signed by its query: opens one object to whoever has it, for a while. */
    async presign(
      address: string,
      method: 'GET' | 'HEAD',
      key: string,
      query: Record<string, string>,
    ): Promise<string> {
      const request = await aws.sign(urlOf(address, key, query), { method, aws: { signQuery: true } })
      return request.url
    },
    prefix,
    publicAddress: place.publicAddress,
  }
}
