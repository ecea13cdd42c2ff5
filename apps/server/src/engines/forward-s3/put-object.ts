/** One signed PUT to a bucket of somebody else, only where the guard lets it. Redirects are not followed. */
import { createHash } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { AwsClient } from 'aws4fetch'
import { checkAddress } from '#engines/forward-shared/reach.ts'
import { addressOf, encodePath, textOf } from '#engines/s3-shared/s3-wire.ts'
import { readAnswerStart } from '#ports/answer-start.ts'
import type { ForwardTools } from '#ports/forward-target.ts'

export interface ObjectToPut {
  key: string
  bytes: Uint8Array
  contentType: string
}

/** What the store answered instead of taking it. */
export class StoreRefused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, text: string) {
    super(textOf(text, 'Message') || `HTTP ${status}`)
    this.status = status
    this.code = textOf(text, 'Code') || `HTTP ${status}`
  }
}

/** An upload that goes on may take so many times longer than an answer. */
const patience = 10

const answerTo = (request: ClientRequest, bytes: Uint8Array, timeoutMs: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer in ${timeoutMs} ms`)))
    request.end(bytes)
  })

export function makePutObject(settings: SettingsOf<'s3'>, { guard, timeoutMs }: ForwardTools) {
  const { endpoint, bucket, accessKey, secretKey, region, ca } = settings
  const aws = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, region, service: 's3' })
  const base = addressOf(endpoint, bucket)

  /** @throws StoreRefused, or what the connection failed by */
  return async ({ key, bytes, contentType }: ObjectToPut, signal: AbortSignal): Promise<void> => {
    const url = new URL(`${base}/${encodePath(key)}`)
    checkAddress(guard, url.hostname)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const given = { 'x-amz-content-sha256': sha256, 'content-type': contentType }
    const { headers } = await aws.sign(url, { method: 'PUT', headers: given })
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const options = {
      method: 'PUT',
      headers: { ...Object.fromEntries(headers), 'content-length': bytes.length },
      lookup: guard.lookup,
      // Files are far apart: a connection of its own for each.
      agent: false,
      ...(ca !== '' && { ca }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience * timeoutMs)]),
    }
    const response = await answerTo(request(url, options), bytes, timeoutMs)
    const text = await readAnswerStart(response)
    const status = response.statusCode ?? 0
    if (status !== 200) throw new StoreRefused(status, text)
  }
}
