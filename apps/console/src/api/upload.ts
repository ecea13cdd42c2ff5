/** One file with its fields as a multipart form. XMLHttpRequest, because fetch tells nothing about how far an upload is. */

import type { BodyInput, DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { t } from '@ithings/contract/text.ts'
import { ApiError, networkText, readBody } from './api-error.ts'
import { requestTimeout } from './call.ts'
import { type FailureNotice, failureNotices, noticeOf, sessionEnded } from './notices.ts'
import { type Preview, preview } from './preview.ts'
import { renewalHeader, type SessionStore, session, sessionKeys } from './session-store.ts'

export interface UploadOptions {
  /** 0 to 1 of the bytes that left the browser. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

export interface FormRequest {
  url: string
  headers: Record<string, string>
  form: FormData
  options: UploadOptions
}

export interface FormAnswer {
  /** 0: no answer came. */
  status: number
  renewed: string | null
  raw: string
}

export interface UploadParts {
  store: SessionStore
  host: string
  send: (request: FormRequest) => Promise<FormAnswer>
  notify: (notice: FailureNotice) => void
  endSession: () => void
  refusal?: Preview['refusal']
}

export type Upload = <E extends Endpoint>(
  endpoint: E,
  /** spec 7: the file part is optional. */
  file: File | undefined,
  fields: BodyInput<E>,
  options?: UploadOptions,
) => Promise<DataOf<E>>

/** spec 7: object values are sent as JSON text. */
const fieldText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function formOf(file: File | undefined, fields: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, fieldText(value))
  // The file last: the server knows what it is for before the bytes come.
  if (file) form.append('file', file, file.name)
  return form
}

/** A refusal is shown by the control that uploads; only the end of the session is told here, since its form goes away. */
export function makeUpload({ store, host, send, notify, endSession, refusal }: UploadParts): Upload {
  return async (endpoint, file, fields, options = {}) => {
    const refused = refusal?.(endpoint)
    if (refused) throw new ApiError(refused)
    const token = store.token()
    const owner = store.userID()
    const headers = { [sessionKeys.guid]: store.guid(), [sessionKeys.token]: token }
    const form = formOf(file, fields as object)
    const answer = await send({ url: `${host}${endpoint.path}`, headers, form, options })
    if (answer.status === 0) throw new ApiError({ code: 0, httpStatus: 0, message: t(networkText) })
    if (store.userID() === owner) store.renew(answer.renewed)
    const reading = readBody(answer.status, answer.raw)
    if (reading.ok) return reading.data as DataOf<typeof endpoint>
    const error = new ApiError(reading.failure)
    // spec 8: a 401 clears the session and leads to login, once.
    if (answer.status === 401 && store.token() === token) {
      store.clear()
      notify(noticeOf(error))
      endSession()
    }
    throw error
  }
}

function sendByBrowser({ url, headers, form, options }: FormRequest): Promise<FormAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.withCredentials = true
    request.timeout = requestTimeout
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => options.onProgress?.(total > 0 ? loaded / total : 0)
    const none: FormAnswer = { status: 0, renewed: null, raw: '' }
    request.onerror = () => resolve(none)
    request.ontimeout = () => resolve(none)
    request.onabort = () => reject(new DOMException(t('已取消上传'), 'AbortError'))
    request.onload = () =>
      resolve({
        status: request.status,
        renewed: request.getResponseHeader(renewalHeader),
        raw: request.responseText,
      })
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

export const upload: Upload = makeUpload({
  store: session,
  host: import.meta.env.VITE_API_HOST ?? '',
  send: sendByBrowser,
  notify: failureNotices.emit,
  endSession: () => sessionEnded.emit(),
  refusal: preview.refusal,
})
