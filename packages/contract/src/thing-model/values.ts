/**
 * Values against their definition (thing-model.md 4): coercion, limits, defaults and text form.
 * A definition is compiled once into a function, because the uplink corridor runs it for every value.
 */
import { t } from '#text.ts'
import { errors } from '../errors.ts'
import { DataType, type Define } from './define.ts'
import { stepTolerance } from './limits.ts'

/** decisions.md 2 "Step of a number": a report is stored as sent, a command must fit the step. */
export type ValueUse = 'report' | 'command'

export interface ValueFault {
  code: number
  /** Names the field, the limit and the value given. */
  text: string
}

export type Coerced = { ok: true; value: unknown } | { ok: false; fault: ValueFault }
export type Coerce = (raw: unknown, field: string) => Coerced

const types = {
  bool: '布尔值',
  int: '整数',
  number: '数字',
  text: '文本',
  enum: '整数枚举值',
  timestamp: '整数时间戳',
  object: '对象',
  array: '数组',
} as const

/** In the language that is spoken while the value is measured. */
export const faultText = (result: Coerced): string => (result.ok ? '' : result.fault.text)

const good = (value: unknown): Coerced => ({ ok: true, value })
const wrongType = (field: string, type: string, raw: unknown): Coerced => ({
  ok: false,
  fault: {
    code: errors.parameter.code,
    text: t('{field} 须为{type}，收到 {value}', { field, type: t(type, { context: 'type' }), value: show(raw) }),
  },
})
const outOfRange = (field: string, rule: string, raw: unknown): Coerced => ({
  ok: false,
  fault: { code: errors.outOfRange.code, text: t('{field} {rule}，收到 {value}', { field, rule, value: show(raw) }) },
})

function show(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const truths = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['t', true],
  ['T', true],
  ['true', true],
  ['TRUE', true],
  ['True', true],
  [false, false],
  [0, false],
  ['0', false],
  ['f', false],
  ['F', false],
  ['false', false],
  ['FALSE', false],
  ['False', false],
])

const coerceBool: Coerce = (raw, field) => {
  const value = truths.get(raw)
  return value === undefined ? wrongType(field, types.bool, raw) : good(value)
}

const decimal = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/

/** JSON numbers and their decimal text; everything else is no number. */
function toNumber(raw: unknown): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined
  if (typeof raw !== 'string' || !decimal.test(raw)) return undefined
  const value = Number(raw)
  return Number.isFinite(value) ? value : undefined
}

/** Digits behind the point of 0.05 or 1e-7: a multiple has no more. */
function decimalsOf(step: number): number {
  const [digits = '', exponent = '0'] = String(step).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** The multiple of the step that is meant, since 0.1 * 3 is 0.30000000000000004; undefined when none is near. */
function fitStep(value: number, step: number, decimals: number): number | undefined {
  const nearest = Math.round(value / step) * step
  // Large numbers are not kept exactly enough for a fixed distance.
  const tolerance = Math.max(stepTolerance, Math.abs(value) * Number.EPSILON * 4)
  return Math.abs(value - nearest) > tolerance ? undefined : Number(nearest.toFixed(decimals))
}

function compileNumber(define: Define, use: ValueUse): Coerce {
  const whole = define.type === DataType.int
  const min = Number(define.min ?? Number.NEGATIVE_INFINITY)
  const max = Number(define.max ?? Number.POSITIVE_INFINITY)
  const step = Number(define.step ?? 0)
  const decimals = decimalsOf(step)
  const range = () => t('须在 {min}–{max} 之间', { min: define.min, max: define.max })
  return (raw, field) => {
    const number = toNumber(raw)
    if (number === undefined) return wrongType(field, whole ? types.int : types.number, raw)
    const value = whole && use === 'report' ? Math.trunc(number) : number
    if (whole && !Number.isInteger(value)) return wrongType(field, types.int, raw)
    if (value < min || value > max) return outOfRange(field, range(), raw)
    // Every number is near enough to a multiple of such a small step.
    if (use === 'report' || !(step > stepTolerance)) return good(value)
    const stepped = fitStep(value, step, decimals)
    return stepped === undefined || stepped < min || stepped > max
      ? outOfRange(field, t('须为步长 {step} 的整数倍', { step: define.step }), raw)
      : good(stepped)
  }
}

const encoder = new TextEncoder()

function compileString(define: Define): Coerce {
  const max = Number(define.max ?? Number.POSITIVE_INFINITY)
  return (raw, field) => {
    if (typeof raw !== 'string') return wrongType(field, types.text, raw)
    // A character has at most three bytes a code unit: short texts need no counting.
    if (raw.length * 3 > max && encoder.encode(raw).length > max)
      return outOfRange(field, t('最长 {max} 字节', { max: define.max }), raw)
    return good(raw)
  }
}

/** Existing consoles send a value back as the text that they read: in commands that counts, too. */
function compileEnum(define: Define, use: ValueUse): Coerce {
  const keys = new Set(Object.keys(define.mapping ?? {}).map(Number))
  const rule = () => t('只能是 {values}', { values: [...keys].join(t('、')) })
  return (raw, field) => {
    const value = use === 'command' && typeof raw === 'string' ? toNumber(raw) : raw
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType(field, types.enum, raw)
    return keys.has(value) ? good(value) : outOfRange(field, rule(), raw)
  }
}

const coerceTimestamp: Coerce = (raw, field) => {
  const value = toNumber(raw)
  return value === undefined || !Number.isSafeInteger(value) ? wrongType(field, types.timestamp, raw) : good(value)
}

function compileStruct(define: Define, use: ValueUse): Coerce {
  const members = (define.specs ?? []).map((spec) => ({
    identifier: spec.identifier,
    coerce: compileDefine(spec.dataType, use),
  }))
  return (raw, field) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return wrongType(field, types.object, raw)
    const value: Record<string, unknown> = {}
    for (const { identifier, coerce } of members) {
      if (!Object.hasOwn(raw, identifier)) continue
      const member = coerce((raw as Record<string, unknown>)[identifier], `${field}.${identifier}`)
      if (!member.ok) return member
      value[identifier] = member.value
    }
    return good(value)
  }
}

function compileArray(define: Define, use: ValueUse): Coerce {
  const coerce = define.arrayInfo ? compileDefine(define.arrayInfo, use) : undefined
  return (raw, field) => {
    if (!Array.isArray(raw) || !coerce) return wrongType(field, types.array, raw)
    const value: unknown[] = []
    for (const [index, item] of raw.entries()) {
      const element = coerce(item, `${field}[${index}]`)
      if (!element.ok) return element
      value.push(element.value)
    }
    return good(value)
  }
}

export function compileDefine(define: Define, use: ValueUse): Coerce {
  switch (define.type) {
    case DataType.bool:
      return coerceBool
    case DataType.int:
    case DataType.float:
      return compileNumber(define, use)
    case DataType.string:
      return compileString(define)
    case DataType.enum:
      return compileEnum(define, use)
    case DataType.timestamp:
      return coerceTimestamp
    case DataType.struct:
      return compileStruct(define, use)
    case DataType.array:
      return compileArray(define, use)
  }
}

/** What getStatus answers for a property without data (thing-model.md 4 "Defaults"). */
export function defaultValue(define: Define): unknown {
  switch (define.type) {
    case DataType.bool:
      return false
    case DataType.int:
    case DataType.float:
      return Number(define.start ?? 0)
    case DataType.string:
      return ''
    case DataType.timestamp:
      return 0
    case DataType.array:
      return []
    case DataType.enum:
      return Math.min(...Object.keys(define.mapping ?? { 0: '' }).map(Number))
    case DataType.struct:
      return Object.fromEntries((define.specs ?? []).map((spec) => [spec.identifier, defaultValue(spec.dataType)]))
  }
}

/** http-api.md 4.4: string properties verbatim, everything else JSON text. */
export const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
