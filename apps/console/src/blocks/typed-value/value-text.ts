/** A value of a thing model as people read it (thing-model.md 4, http-api.md 4.4). Pure. */

import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import { numberText } from '#kit/number-text.ts'
import { formatTime } from '#kit/time.ts'

export const isNumeric = (define: Define): boolean => define.type === DataType.int || define.type === DataType.float

/** Bool and enum: a few states with names, drawn as steps. */
export const isState = (define: Define): boolean => define.type === DataType.bool || define.type === DataType.enum

/** The wire's text back to a value: strings travel verbatim, everything else as JSON; undefined: none, or unreadable. */
export function parseValue(define: Define, text: string): unknown {
  if (define.type === DataType.string) return text
  if (text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value ?? undefined
  } catch {
    return undefined
  }
}

/** The number behind a number, a switch (0, 1) or an enumeration; null when it is none of them. */
export function numberOf(define: Define, text: string): number | null {
  if (!isNumeric(define) && !isState(define)) return null
  const value = parseValue(define, text)
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** More digits than a double can hold only show its noise. */
const maxDigits = 6

export const measuredText = (value: number): string => numberText(value, maxDigits)

const decimalsOf = (step: number): number => {
  const [digits = '', exponent = '0'] = String(step).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}

/** An average has endless digits: one more than the step of the value says all that is known. */
export function figureText({ step, unit }: Define, value: number): string {
  const digits = step ? Math.min(decimalsOf(Number(step)) + 1, maxDigits) : 3
  const text = measuredText(Number(value.toFixed(digits)))
  return unit ? `${text} ${unit}` : text
}

const mapped = (define: Define, key: string): string => define.mapping?.[key] ?? t('未知（{value}）', { value: key })

const plain = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Without the unit of the value itself; members of groups carry theirs. A value of another type is shown as it is. */
export function describeValue(define: Define, value: unknown): string {
  switch (define.type) {
    case DataType.bool:
      return typeof value === 'boolean' ? mapped(define, value ? '1' : '0') : plain(value)
    case DataType.enum:
      return typeof value === 'number' ? mapped(define, String(value)) : plain(value)
    case DataType.int:
    case DataType.float:
      return typeof value === 'number' ? measuredText(value) : plain(value)
    case DataType.timestamp:
      return typeof value === 'number' ? formatTime(value) : plain(value)
    case DataType.string:
      return plain(value)
    case DataType.struct:
      return isRecord(value)
        ? membersOf(define, value)
            .map(({ name, text }) => `${name} ${text}`)
            .join(t('，'))
        : plain(value)
    case DataType.array: {
      const element = define.arrayInfo
      return Array.isArray(value) && element
        ? value.map((item) => withUnit(element, describeValue(element, item))).join(t('、'))
        : plain(value)
    }
  }
}

export const withUnit = (define: Define, text: string): string => (define.unit ? `${text} ${define.unit}` : text)

export interface MemberText {
  identifier: string
  name: string
  text: string
}

/** Declared members in their order, missing ones as "—" (thing-model.md 4: they may be missing). */
export const membersOf = (define: Define, value: Record<string, unknown>): MemberText[] =>
  (define.specs ?? []).map(({ identifier, name, dataType }) => ({
    identifier,
    name,
    text: Object.hasOwn(value, identifier) ? withUnit(dataType, describeValue(dataType, value[identifier])) : '—',
  }))

/** The wire's text in words and with its unit; "—" when there is none. */
export function describeText(define: Define, text: string): string {
  const value = parseValue(define, text)
  return value === undefined ? '—' : withUnit(define, describeValue(define, value))
}
