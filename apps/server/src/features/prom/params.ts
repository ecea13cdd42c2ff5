/** Parameters as Prometheus takes them: in the address, as a form, or, as everywhere here, as JSON. */
import { dayMs } from '@ithings/contract/durations.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { FastifyRequest } from 'fastify'
import { badData } from './prom-error.ts'
import { readSeconds } from './promql/literals.ts'
import type { Grid } from './promql/values.ts'

export type Params = URLSearchParams

const mostPoints = 11_000
/** The end of the calendar, ms. */
const lastTime = 8.64e15
const mostLookback = dayMs
/** As Prometheus has it. */
const usualLookback = 300_000
const mostTimeout = 30_000

const notForm = () => badData(phrase('请求体须为表单或 JSON 对象'))

function ofBody(body: unknown): [string, string][] {
  if (body === undefined || body === null) return []
  if (typeof body === 'string') return [...new URLSearchParams(body)]
  if (typeof body !== 'object' || Array.isArray(body)) throw notForm()
  return Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => {
      if (typeof one !== 'string' && typeof one !== 'number') throw notForm()
      return [name, String(one)]
    }),
  )
}

/** Those of the body count before those of the address. */
export function paramsOf({ raw, body }: FastifyRequest): Params {
  const address = new URL(raw.url ?? '/', 'http://localhost').searchParams
  return new URLSearchParams([...ofBody(body), ...address])
}

const wrong = (identifier: string, text: string) =>
  badData(phrase('参数 {identifier} 的值 {text} 无效', { identifier, text }))

/** Seconds or RFC 3339, in ms. */
export function timeOf(params: Params, name: string, absent?: number): number {
  const text = params.get(name) ?? ''
  if (text === '') {
    if (absent !== undefined) return absent
    throw badData(phrase('缺少参数 {identifier}', { identifier: name }))
  }
  const dated = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const ms = dated ? Date.parse(text) : readSeconds(text)
  if (ms === undefined || !(Math.abs(ms) <= lastTime)) throw wrong(name, text)
  return ms
}

/** Seconds or a duration, in ms. */
function durationOf(params: Params, name: string): number | undefined {
  const text = params.get(name) ?? ''
  if (text === '') return undefined
  const ms = readSeconds(text)
  if (ms === undefined || ms <= 0) throw wrong(name, text)
  return ms
}

export const timeoutOf = (params: Params): number => Math.min(durationOf(params, 'timeout') ?? mostTimeout, mostTimeout)

/** How old the newest value may be. Devices that report seldom need more than the five minutes of Prometheus. */
export const lookbackOf = (params: Params): number =>
  Math.min(durationOf(params, 'lookback_delta') ?? usualLookback, mostLookback)

/** 0 and absent mean: as many as there are. */
export function limitOf(params: Params): number {
  const text = params.get('limit') ?? ''
  if (!/^\d*$/.test(text)) throw wrong('limit', text)
  return Number(text) || Number.POSITIVE_INFINITY
}

export function gridOf(params: Params): Grid {
  const start = timeOf(params, 'start')
  const end = timeOf(params, 'end')
  const step = durationOf(params, 'step')
  if (step === undefined) throw badData(phrase('缺少参数 {identifier}', { identifier: 'step' }))
  if (end < start) throw badData(phrase('end 不能早于 start'))
  const count = Math.floor((end - start) / step) + 1
  if (count > mostPoints) {
    throw badData(phrase('每条序列最多 {most, number} 个点，请加大 step', { most: mostPoints }))
  }
  return { start, step, count }
}
