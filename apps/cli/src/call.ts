/** Calls of the platform: one place that knows headers, the envelope and what each failure is called. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { failureEnvelope, successCode } from '@ithings/contract/envelope.ts'
import { t } from '@ithings/contract/text.ts'
import { ExitCode, Failure, unreachable } from './failure.ts'
import { type Place, tell } from './place.ts'
import { harmless } from './width.ts'

export interface Target {
  url: string
  key: string
}

/** As long as the console waits. */
const callTimeoutMs = 200_000
/** A key that was used too much is let in again at the next minute. */
const mostTries = 3
const longestPauseSeconds = 120

export class Refusal extends Failure {
  readonly code: number
  constructor(message: string, code: number, exitCode: ExitCode) {
    super(message, exitCode)
    this.code = code
  }
}

const exitCodeOf = (status: number): ExitCode =>
  status === 401 || status === 403 ? ExitCode.denied : status >= 502 ? ExitCode.unreachable : ExitCode.refused

async function send(place: Place, { url, key }: Target, path: string, body: string | FormData, json: boolean) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        ...(json && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}` }),
        'accept-language': place.language,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(callTimeoutMs), place.signal]),
    }).catch((error: unknown) => {
      if (place.signal.aborted) throw new Failure('', ExitCode.interrupted)
      throw unreachable(url, error)
    })
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status !== 429 || tries === mostTries || !(seconds <= longestPauseSeconds)) return response
    await response.body?.cancel()
    tell(place, t('请求过于频繁，{count} 秒后再试', { count: seconds }))
    await pause(seconds * 1000, undefined, { signal: place.signal }).catch(() => {
      throw new Failure('', ExitCode.interrupted)
    })
  }
}

function refusalOf(response: Response, answer: unknown, url: string): Failure {
  const { status, headers } = response
  const { data: said } = failureEnvelope.safeParse(answer)
  if (said)
    return new Refusal(
      t('{msg}（{code}）', { msg: harmless(said.msg), code: said.code }),
      said.code,
      exitCodeOf(status),
    )
  if (status >= 300 && status < 400)
    return new Failure(t('{url} 转向 {location}，请用那个地址登录', { url, location: headers.get('location') ?? '' }))
  return new Failure(t('{url} 的回答不是 iThings 平台的（HTTP {status}）', { url, status }), exitCodeOf(status))
}

/** @returns what stands under `data`; of endpoints without an envelope everything */
async function receive(response: Response, url: string, unwrapped: boolean): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(url, error)
  })
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw refusalOf(response, undefined, url)
  }
  const { code, data } = answer as { code?: unknown; data?: unknown }
  if (unwrapped && response.ok) return answer
  if (code !== successCode) throw refusalOf(response, answer, url)
  return data
}

export async function callPath(
  place: Place,
  target: Target,
  endpoint: Pick<Endpoint, 'path' | 'unwrapped' | 'asPrometheus'>,
  body: unknown,
): Promise<unknown> {
  const isForm = body instanceof FormData
  const response = await send(place, target, endpoint.path, isForm ? body : JSON.stringify(body), !isForm)
  return receive(response, target.url, Boolean(endpoint.unwrapped ?? endpoint.asPrometheus))
}

/** The same where the endpoint is known when the program is written. */
export const call = async <E extends Endpoint>(
  place: Place,
  target: Target,
  endpoint: E,
  body: BodyInput<E>,
): Promise<DataOf<E>> => (await callPath(place, target, endpoint, body)) as DataOf<E>
