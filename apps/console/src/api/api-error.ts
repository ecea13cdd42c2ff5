import { successCode } from '@ithings/contract/envelope.ts'
import { errors } from '@ithings/contract/errors.ts'
import { parseRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'

export interface Failure {
  /** The body's code, or the HTTP status when the body says none. */
  code: number
  /** 0: no response came. */
  httpStatus: number
  message: string
  requestID?: string | undefined
  /** The form field that was refused, when the server names one. */
  field?: string | undefined
}

/** A refused or unanswered call. `message` is a sentence for people. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: number
  readonly httpStatus: number
  readonly requestID: string | undefined
  readonly field: string | undefined

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options)
    this.code = failure.code
    this.httpStatus = failure.httpStatus
    this.requestID = failure.requestID
    this.field = failure.field
  }
}

export const isNetworkFailure = (error: unknown): boolean => error instanceof ApiError && error.httpStatus === 0

/**
 * decisions.md 2 "Permission refused": a refused permission is HTTP 403 with code 100012; it is shown in place, never
 * as a logout.
 */
export const isForbidden = (error: unknown): boolean =>
  error instanceof ApiError && (error.httpStatus === 403 || error.code === errors.permission.code)

export const networkTitle = '网络异常'
export const networkText = '您的网络发生异常，无法连接服务器'

/** spec 8: the title of a failure notification. */
export const failureTitle = (error: ApiError): string =>
  isNetworkFailure(error) ? t(networkTitle) : t('请求错误, 错误码:{code}', { code: error.code })

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

export type Reading = { ok: true; data: unknown } | { ok: false; failure: Failure }

/** spec 8: success is a body code of 200 whatever the HTTP status; the description is message, msg or the raw text. */
export function readBody(httpStatus: number, raw: string): Reading {
  const body = parseRecord(raw)
  if (body?.code === successCode) return { ok: true, data: body.data }
  return {
    ok: false,
    failure: {
      code: typeof body?.code === 'number' ? body.code : httpStatus,
      httpStatus,
      message: textOf(body?.message) ?? textOf(body?.msg) ?? raw,
      requestID: textOf(body?.requestID),
      field: textOf(body?.field),
    },
  }
}
