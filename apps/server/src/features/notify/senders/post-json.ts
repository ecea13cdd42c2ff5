/** One POST, as webhooks and robots are called: bounded in time and size, guarded, never redirected. */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { keep, kept } from '@ithings/contract/text.ts'
import { storableText } from '#db/json-text.ts'
import { AddressRefused, addressRefused } from '#ports/address-refused.ts'
import { readAnswerStart } from '#ports/answer-start.ts'
import { networkFault, noAnswer, redirected } from '#ports/network-fault.ts'
import type { AddressGuard } from '../address-guard.ts'
import { type Answer, failure } from './sender.ts'

export interface Post {
  url: string
  headers?: Record<string, string>
  body: string
}

export interface PostOptions {
  guard: AddressGuard
  timeoutMs: number
}

export type PostResult = { answered: true; status: number; text: string } | { answered: false; failure: Answer }

function exchange(target: URL, post: Post, { guard, timeoutMs }: PostOptions): Promise<PostResult> {
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    const request = send(
      target,
      {
        method: 'POST',
        // A connection of its own: one that was kept would skip the look at the address.
        agent: false,
        lookup: guard.lookup,
        signal,
        headers: {
          'User-Agent': 'iThings-Core',
          Accept: '*/*',
          ...post.headers,
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Length': String(Buffer.byteLength(post.body)),
        },
      },
      (response) => {
        const status = response.statusCode ?? 0
        readAnswerStart(response)
          .then((text) => resolve({ answered: true, status, text: storableText(text) }), reject)
          .finally(() => request.destroy())
      },
    )
    request.on('error', reject)
    request.end(post.body)
  })
}

export async function postJson(post: Post, options: PostOptions): Promise<PostResult> {
  const target = URL.parse(post.url)
  if (!target || !/^https?:$/.test(target.protocol)) {
    return { answered: false, failure: failure(kept('地址无效，须为 http 或 https 地址'), { final: true }) }
  }
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // node:net asks no lookup about an address that is written as one.
  if (isIP(host) && !options.guard.allows(host)) {
    return { answered: false, failure: failure(keep([addressRefused(host).words]), { final: true }) }
  }
  try {
    const result = await exchange(target, post, options)
    if (result.answered && result.status >= 300 && result.status < 400) {
      return {
        answered: false,
        failure: failure(keep([redirected(result.status)]), { code: result.status }),
      }
    }
    return result
  } catch (cause) {
    const error = cause as Error & { code?: string }
    if (error instanceof AddressRefused)
      return { answered: false, failure: failure(keep([error.words]), { final: true }) }
    const timedOut = error.name === 'AbortError' || error.name === 'TimeoutError'
    return {
      answered: false,
      failure: failure(keep([timedOut ? noAnswer(options.timeoutMs) : networkFault(error)])),
    }
  }
}
