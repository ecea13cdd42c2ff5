/** The one place where failures become HTTP answers: always the envelope, never a stack trace, never HTML. */

import type { Envelope } from '@ithings/contract/envelope.ts'
import { AppError, type CatalogueError, errors } from '@ithings/contract/errors.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '#ports/database-away.ts'
import { messageFor } from './answer-language.ts'

/**
 * decisions.md 2 "Permission refused": a missing, bad or expired token is 401, a refused permission 403, other business
 * errors 400.
 */
const statusByCode = new Map<number, number>([
  [errors.tokenExpired.code, 401],
  [errors.tokenNotValidYet.code, 401],
  [errors.tokenMalformed.code, 401],
  [errors.tokenInvalid.code, 401],
  [errors.notLoggedIn.code, 401],
  [errors.permission.code, 403],
  [errors.secondFactorStale.code, 403],
  [errors.secondFactorMissing.code, 403],
  [errors.system.code, 500],
  [errors.database.code, 503],
  [errors.rateLimited.code, 429],
])

const megabyte = 1024 * 1024

interface Answer {
  status: number
  error: AppError
}

const answer = (status: number, entry: CatalogueError, detail: Phrase | '', cause?: unknown): Answer => ({
  status,
  error: new AppError(entry, { detail, cause }),
})

function fromFastify(error: FastifyError, bodyLimit: number): Answer | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return answer(
        413,
        errors.outOfRange,
        phrase('请求体超过 {megabytes} MB', { megabytes: Math.floor(bodyLimit / megabyte) }),
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return answer(415, errors.type, phrase('请使用 Content-Type: application/json'))
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return answer(400, errors.parameter, phrase('请求体不完整'))
  }
  const { statusCode: status = 500 } = error
  if (status === 429) return answer(429, errors.rateLimited, '')
  if (error instanceof SyntaxError || status === 400)
    return answer(400, errors.parameter, phrase('请求体不是有效的 JSON'))
  // Whatever else the parts of the server have to say against a request is no fault of theirs.
  if (status === 403 || status === 404) return answer(404, errors.notFound, phrase('路径不存在'))
  return status > 400 && status < 500 ? answer(status, errors.parameter, phrase('请求无法处理')) : undefined
}

/** Who asked has gone in the middle of it: nobody hears the answer, and nothing is wrong here. */
const callerGone = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === 'aborted' || (error as FastifyError).code === 'ERR_STREAM_PREMATURE_CLOSE')

/** Text that PostgreSQL cannot hold (U+0000, half a surrogate pair) is the caller's mistake. */
const unstorableText = (error: unknown): boolean =>
  ['22021', '22P05'].includes(String((error as { code?: unknown } | null)?.code))

/** An id beyond what the column holds is nobody's id, and a time beyond the calendar is no time. */
const beyondColumn = (error: unknown): boolean =>
  ['22003', '22007', '22008'].includes(String((error as { code?: unknown } | null)?.code))

/** @param bodyLimit bytes that the route takes */
export function toAnswer(error: unknown, bodyLimit = megabyte): Answer {
  if (error instanceof AppError) return { status: error.status ?? statusByCode.get(error.code) ?? 400, error }
  if (beyondColumn(error)) return answer(400, errors.outOfRange, phrase('数值超出范围'), error)
  if (unstorableText(error)) return answer(400, errors.parameter, phrase('文本含有不能保存的字符'), error)
  if (callerGone(error)) return answer(400, errors.parameter, phrase('请求体不完整'), error)
  if (isDatabaseAway(error)) return answer(503, errors.database, phrase('数据库暂时不可用，请稍后重试'), error)
  const known = error instanceof Error ? fromFastify(error as FastifyError, bodyLimit) : undefined
  return known ?? answer(500, errors.system, phrase('请把请求编号告诉管理员'), error)
}

export const failureBody = (error: AppError, request: FastifyRequest): Envelope => ({
  code: error.code,
  msg: messageFor(error, request),
  requestID: request.id,
  ...(error.field ? { field: error.field } : {}),
})

export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, error: failure } = toAnswer(error, request.routeOptions.bodyLimit)
  if (status >= 500) request.log.error({ err: error }, failure.message)
  request.failure = failure
  return reply.status(status).type('application/json; charset=utf-8').send(failureBody(failure, request))
}

export function installErrorReply(app: FastifyInstance): void {
  app.decorateRequest('failure', undefined)
  app.setErrorHandler(replyWithError)
}

declare module 'fastify' {
  interface FastifyRequest {
    failure: AppError | undefined
  }
}
