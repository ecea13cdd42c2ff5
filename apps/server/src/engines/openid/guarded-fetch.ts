/** `fetch` as openid-client asks for it: no redirects, bounded in time and size, and only to where the platform may be led. */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isIP } from 'node:net'
import { phrase } from '@ithings/contract/text.ts'
import { addressRefused } from '#ports/address-refused.ts'
import type { ForwardGuard } from '#ports/forward-target.ts'
import { SignOnFault } from '#ports/identity-provider.ts'
import { noAnswer } from '#ports/network-fault.ts'

const maxAnswerBytes = 1_048_576

/** What openid-client hands over. */
interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

export interface Reach {
  guard: ForwardGuard
  /** Is it an address of the internet? */
  isPublic(address: string): boolean
  timeoutMs: number
}

const plainRefused = (host: string) => new SignOnFault(phrase('{host} 不是内部网络的地址，必须使用 https', { host }))

/** Keys that come in the clear can be anybody's: only inside a network that the operator has named. */
function plainLookup({ guard, isPublic }: Reach): LookupFunction {
  return (hostname, options, callback) => {
    guard.lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const inner = (found as Array<{ address: string; family: number }>).filter(({ address }) => !isPublic(address))
      const [first] = inner
      if (!first) return callback(plainRefused(hostname), '', 0)
      if (options.all) callback(null, inner)
      else callback(null, first.address, first.family)
    })
  }
}

function refuseAddress(url: URL, { guard, isPublic }: Reach): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0) return
  if (!guard.allows(host)) throw addressRefused(host)
  if (url.protocol === 'http:' && isPublic(host)) throw plainRefused(host)
}

async function read(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new SignOnFault(phrase('对方的应答过大'))
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
  const status = answer.statusCode ?? 0
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}

export const makeGuardedFetch =
  (reach: Reach) =>
  (address: string, asked: Asked): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(address)
      refuseAddress(url, reach)
      const isTls = url.protocol === 'https:'
      const body = asked.body === null || asked.body === undefined ? '' : String(asked.body)
      const options: RequestOptions = {
        method: asked.method ?? 'GET',
        headers: {
          'user-agent': 'iThings-Core',
          ...asked.headers,
          ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
        },
        lookup: isTls ? reach.guard.lookup : plainLookup(reach),
        signal: AbortSignal.timeout(reach.timeoutMs),
      }
      const outgoing = (isTls ? httpsRequest : httpRequest)(url, options, (answer) => {
        read(answer).then(resolve, reject)
      })
      outgoing.on('error', (error: Error) =>
        reject(options.signal?.aborted ? new SignOnFault(noAnswer(reach.timeoutMs)) : error),
      )
      outgoing.end(body)
    })
