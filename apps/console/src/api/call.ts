/** The request layer (spec 7, 8): the only file that knows headers, renewal, 401 and failure notices. */

import { type BodyInput, BusinessType, type DataOf, type Endpoint } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import { t } from '@ithings/contract/text.ts'
import { readLanguage, tagOf } from '#language/language.ts'
import { ApiError, isForbidden, isNetworkFailure, networkText, readBody } from './api-error.ts'
import { askFreshCode } from './fresh-code.ts'
import { type FailureNotice, failureNotices, noticeOf, sessionEnded } from './notices.ts'
import { type Preview, preview } from './preview.ts'
import { renewalHeader, type SessionStore, session, sessionKeys } from './session-store.ts'
import { isLoginPlace } from './sign-in-path.ts'

/** spec 7: the URL is prefixed with a fixed back-end host; empty means the page's own origin. */
const host: string = import.meta.env.VITE_API_HOST ?? ''
/** spec 9: request time-out. */
export const requestTimeout = 200_000
/** A read that met no server is asked again after these pauses; the notice comes after the last one. */
const retryPauses = [300, 1000]

export interface CallOptions {
  /** Polling calls and screens that show the failure themselves: no notification. */
  quiet?: boolean
  signal?: AbortSignal | undefined
}

export interface CallParts {
  store: SessionStore
  host: string
  notify: (notice: FailureNotice) => void
  endSession: () => void
  atLogin: () => boolean
  /** Asks for the second factor anew; true: the refused call may be repeated. */
  askFreshCode?: () => Promise<boolean>
  /** While a role is previewed: what does not leave the browser. */
  refusal?: Preview['refusal']
  timeout?: number
  pauses?: readonly number[]
}

export type Call = <E extends Endpoint>(endpoint: E, body: BodyInput<E>, options?: CallOptions) => Promise<DataOf<E>>

const signedOut = { code: errors.tokenInvalid.code, httpStatus: 401, message: errors.tokenInvalid.msg }

const wantsFreshCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === errors.secondFactorStale.code

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** What met no server is sent again after each pause; what took too long is not. */
async function withRetry<T>(pauses: readonly number[], request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const [next, ...rest] = pauses
    const timedOut = error instanceof ApiError && (error.cause as Error | undefined)?.name === 'TimeoutError'
    if (next === undefined || timedOut || !isNetworkFailure(error)) throw error
    await pause(next)
    return withRetry(rest, request)
  }
}

export interface RecordedCall {
  path: string
  body: unknown
}
let recording: ((asked: RecordedCall) => void) | undefined

/** What a reading asks first, without asking it: an export has the server ask the same. */
export function recordCall(read: () => unknown): RecordedCall | undefined {
  let first: RecordedCall | undefined
  recording = (asked) => {
    first ??= asked
  }
  try {
    void read()
  } finally {
    recording = undefined
  }
  return first
}

export function makeCall(parts: CallParts): Call {
  const { store, timeout = requestTimeout, pauses = retryPauses } = parts

  async function send(endpoint: Endpoint, body: unknown, token: string, signal?: AbortSignal) {
    const limit = AbortSignal.timeout(timeout)
    try {
      const response = await fetch(`${parts.host}${endpoint.path}`, {
        method: 'POST',
        credentials: 'include',
        headers: {
          'Content-Type': 'application/json',
          'Accept-Language': tagOf[readLanguage()],
          [sessionKeys.guid]: store.guid(),
          [sessionKeys.token]: token,
        },
        body: JSON.stringify(body ?? {}),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      return { status: response.status, renewed: response.headers.get(renewalHeader), raw: await response.text() }
    } catch (cause) {
      // The caller gave up (another page, a newer query): that is no failure to tell about.
      if (signal?.aborted) throw cause
      throw new ApiError({ code: 0, httpStatus: 0, message: t(networkText) }, { cause })
    }
  }

  /** spec 8, once per session: of several answers that say 401, only the first clears and leads to login. */
  function endSession(sentToken: string): boolean {
    if (store.token() !== sentToken) return false
    store.clear()
    parts.endSession()
    return true
  }

  function tell(error: ApiError, endpoint: Endpoint, quiet: boolean) {
    // A refused query is shown in place of its data; a refused action has no such place.
    const inPlace = isForbidden(error) && endpoint.businessType === BusinessType.query
    // The dialog that asks for the code says it already.
    if (!quiet && !inPlace && !wantsFreshCode(error)) parts.notify(noticeOf(error))
  }

  const once: Call = async (endpoint, body, options = {}) => {
    const owner = store.userID()
    const token = store.token()
    const quiet = options.quiet ?? false
    // A screen that is being left after signing out may still ask; the way to login is taken already.
    if (token === '' && endpoint.access !== 'public') throw new ApiError(signedOut)
    const refused = parts.refusal?.(endpoint)
    if (refused) {
      const error = new ApiError(refused)
      tell(error, endpoint, quiet)
      throw error
    }
    const repeats = endpoint.businessType === BusinessType.query ? pauses : []
    const request = () => send(endpoint, body, token, options.signal)
    const answer = await withRetry(repeats, request).catch((error: unknown) => {
      if (error instanceof ApiError) tell(error, endpoint, quiet)
      throw error
    })
    // A late answer of a session that has ended meanwhile must not bring its token back.
    if (store.userID() === owner) store.renew(answer.renewed)
    const reading = readBody(answer.status, answer.raw)
    if (reading.ok) return reading.data as DataOf<typeof endpoint>
    const error = new ApiError(reading.failure)
    if (answer.status !== 401 || parts.atLogin()) tell(error, endpoint, quiet)
    // The form that would have shown the refusal of an action is gone, so even a quiet one says why.
    else if (endSession(token)) tell(error, endpoint, quiet && endpoint.businessType === BusinessType.query)
    throw error
  }

  return async (endpoint, body, options) => {
    if (recording) {
      recording({ path: endpoint.path, body })
      // Nobody waits for an answer.
      return new Promise(() => {})
    }
    try {
      return await once(endpoint, body, options)
    } catch (error) {
      if (!wantsFreshCode(error) || !(await parts.askFreshCode?.())) throw error
      return once(endpoint, body, options)
    }
  }
}

export const call: Call = makeCall({
  store: session,
  host,
  notify: failureNotices.emit,
  endSession: () => sessionEnded.emit(),
  atLogin: () => isLoginPlace(window.location),
  askFreshCode,
  refusal: preview.refusal,
})
