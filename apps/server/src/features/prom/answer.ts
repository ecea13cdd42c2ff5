/** Answers in Prometheus' own envelope, written in pieces: a large one must not keep the server from others. */

import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { messageFor } from '#http/answer-language.ts'
import { toAnswer } from '#http/error-reply.ts'
import { type ErrorType, PromError } from './prom-error.ts'
import type { Labels } from './promql/labels.ts'
import { sayNumber } from './promql/number-text.ts'
import type { Answer } from './promql/run.ts'
import { type Grid, timeAt } from './promql/values.ts'

const json = 'application/json; charset=utf-8'

export const metricOf = (labels: Labels): Record<string, string> => Object.fromEntries(labels)

const point = (time: number, value: number): string => `[${time / 1000},"${sayNumber(value)}"]`
const withMetric = (labels: Labels, rest: string): string => `{"metric":${JSON.stringify(metricOf(labels))},${rest}}`

/** One text a series. */
function* seriesTexts(answer: Answer, grid: Grid, instant: boolean): Generator<string, void> {
  if (answer.type === 'matrix') {
    for (const { labels, times, values } of answer.list) {
      const points = Array.from(times, (time, i) => point(time, values[i] as number))
      yield withMetric(labels, `"values":[${points.join()}]`)
    }
  } else if (answer.type === 'vector') {
    for (const { labels, values, has } of answer.series) {
      if (instant) {
        yield withMetric(labels, `"value":${point(grid.start, values[0] as number)}`)
        continue
      }
      const points: string[] = []
      for (let i = 0; i < grid.count; i++) if (has[i]) points.push(point(timeAt(grid, i), values[i] as number))
      yield withMetric(labels, `"values":[${points.join()}]`)
    }
  }
}

async function* pieces(head: string, texts: Iterable<string>, tail: string): AsyncGenerator<string, void> {
  yield head
  let first = true
  for (const text of texts) {
    yield first ? text : `,${text}`
    first = false
    await nextTurn()
  }
  yield tail
}

/** What is cut off is said. */
function cut(answer: Answer, most: number): { answer: Answer; warnings: string[] } {
  const warnings = ['results truncated due to limit']
  if (answer.type === 'vector' && answer.series.length > most) {
    return { answer: { ...answer, series: answer.series.slice(0, most) }, warnings }
  }
  if (answer.type === 'matrix' && answer.list.length > most) {
    return { answer: { ...answer, list: answer.list.slice(0, most) }, warnings }
  }
  return { answer, warnings: [] }
}

const tailOf = (warnings: string[]): string => (warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : '')

export function sendAnswer(
  reply: FastifyReply,
  given: Answer,
  { grid, instant, limit }: { grid: Grid; instant: boolean; limit: number },
): FastifyReply {
  reply.type(json)
  const { answer, warnings } = cut(given, limit)
  const begin = (type: string) => `{"status":"success","data":{"resultType":"${type}","result":`
  if (answer.type === 'string') {
    return reply.send(`${begin('string')}[${grid.start / 1000},${JSON.stringify(answer.value)}]}}`)
  }
  if (answer.type === 'scalar' && instant) {
    return reply.send(`${begin('scalar')}${point(grid.start, answer.values[0] as number)}}}`)
  }
  // A scalar over time is a series without labels.
  const series: Answer =
    answer.type === 'scalar'
      ? {
          type: 'vector',
          series: [{ labels: new Map(), values: answer.values, has: new Uint8Array(grid.count).fill(1) }],
        }
      : answer
  const type = instant ? series.type : 'matrix'
  const texts = seriesTexts(series, grid, instant)
  return reply.send(Readable.from(pieces(`${begin(type)}[`, texts, `]}${tailOf(warnings)}}`)))
}

export const sendData = (reply: FastifyReply, data: unknown, warnings: string[] = []): FastifyReply =>
  reply.type(json).send(`{"status":"success","data":${JSON.stringify(data)}${tailOf(warnings)}}`)

/** Prometheus' own, and those of our gate. */
const statuses: Record<ErrorType, number> = {
  bad_data: 400,
  execution: 422,
  timeout: 503,
  canceled: 503,
  unavailable: 503,
  internal: 500,
  unauthorized: 401,
  forbidden: 403,
  too_many_requests: 429,
}
const types = new Map<number, ErrorType>([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [429, 'too_many_requests'],
  [503, 'unavailable'],
])
/** SQLSTATE of a statement that the server gave up. */
const givenUp = '57014'

function typeOf(error: unknown, status: number): ErrorType {
  if (error instanceof PromError) return error.type
  if ((error as { code?: unknown } | null)?.code === givenUp) return 'timeout'
  return types.get(status) ?? (status >= 500 ? 'internal' : 'bad_data')
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, error: failure } = toAnswer(error, request.routeOptions.bodyLimit)
  const errorType = typeOf(error, status)
  if (errorType === 'internal') request.log.error({ err: error }, failure.message)
  request.failure = failure
  const body = { status: 'error', errorType, error: messageFor(failure, request) }
  return reply.status(statuses[errorType]).type(json).send(body)
}
