/** The value of a property or parameter, drawn by its type. */

import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define, type Param } from '@ithings/contract/thing-model/define.ts'
import './typed-value.css'
import { describeValue, type MemberText, membersOf, parseValue, withUnit } from './value-text.ts'

interface TypedValueProps {
  define: Define
  /** As it travels: strings verbatim, the rest JSON text; '' when there is none. */
  text: string
  /** The figure of a card instead of a cell. */
  large?: boolean
}

const shownElements = 20

export function TypedValue({ define, text, large = false }: TypedValueProps) {
  const value = parseValue(define, text)
  const size = large ? 'typed-value typed-value-large' : 'typed-value'
  if (value === undefined || value === '') return <span className={`${size} no-value`}>—</span>
  if (define.type === DataType.struct && isRecord(value)) {
    return <Members className={size} rows={membersOf(define, value)} />
  }
  if (define.type === DataType.array && Array.isArray(value)) {
    const rest = value.length - shownElements
    return (
      <span className={`${size} typed-long`} title={describeValue(define, value)}>
        {describeValue(define, value.slice(0, shownElements)) || t('空数组')}
        {rest > 0 && t(' … 共 {count} 个', { count: value.length })}
      </span>
    )
  }
  const words = describeValue(define, value)
  const long = define.type === DataType.string || define.type === DataType.timestamp
  return (
    <span className={long ? `${size} typed-long` : size} title={long ? words : undefined}>
      {words}
      {define.unit && <span className="regular after-4 size-13 quiet">{define.unit}</span>}
    </span>
  )
}

/** An object of parameters by the model: those of an event, the output of an action. Unknown ones keep their identifier. */
export function TypedParams({ params, values }: { params: readonly Param[]; values: Record<string, unknown> }) {
  const known = new Set(params.map(({ identifier }) => identifier))
  const rows = [
    ...params.flatMap(({ identifier, name, define }) =>
      Object.hasOwn(values, identifier) ? [{ identifier, name, text: wordsOf(define, values[identifier]) }] : [],
    ),
    ...Object.entries(values).flatMap(([identifier, value]) =>
      known.has(identifier) ? [] : [{ identifier, name: identifier, text: JSON.stringify(value) ?? '' }],
    ),
  ]
  if (rows.length === 0) return <span className="no-value">{t('无参数')}</span>
  return <Members className="typed-value" rows={rows} />
}

const Members = ({ className, rows }: { className: string; rows: readonly MemberText[] }) => (
  <dl className={`${className} typed-members flex wrap`}>
    {rows.map(({ identifier, name, text }) => (
      <div key={identifier} className="shrink">
        <dt className="meta">{name}</dt>
        <dd className="bare">{text}</dd>
      </div>
    ))}
  </dl>
)

const wordsOf = (define: Define, value: unknown): string => withUnit(define, describeValue(define, value))
