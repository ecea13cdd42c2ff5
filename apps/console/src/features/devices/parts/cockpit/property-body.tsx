import { DataType } from '@ithings/contract/thing-model/define.ts'
import { Segmented, Switch } from 'antd'
import { TypedValue } from '#blocks/typed-value/typed-value.tsx'
import { describeValue, isNumeric, parseValue } from '#blocks/typed-value/value-text.ts'
import { hasTrend, isWritable, type PropertyRow } from './property-rows.ts'
import { Spark } from './spark.tsx'
import type { Trend } from './trend.ts'
import type { SendState } from './use-sends.ts'
import { ValueEditor } from './value-editor.tsx'

/** A few short words fit beside each other; longer lists are chosen in the editor. */
const segmentedChoices = 4
const segmentedLetters = 16

function fitsSegments({ property: { define } }: PropertyRow): boolean {
  const labels = Object.values(define.mapping ?? {})
  return labels.length <= segmentedChoices && labels.join('').length <= segmentedLetters
}

/** Switches and short enumerations are set where they are shown; the others are edited first. */
export const isDirect = (row: PropertyRow): boolean =>
  row.property.define.type === DataType.bool || (row.property.define.type === DataType.enum && fitsSegments(row))

interface PropertyBodyProps {
  row: PropertyRow
  state: SendState | undefined
  trend: Trend | undefined
  editing: boolean
  /** Why it cannot be set now; undefined when it can. */
  locked: string | undefined
  okText: string
  large: boolean
  onSend: (value: unknown) => void
  onClose: () => void
}

/** The value, or the control that sets it. A value on its way is shown as "old → new". */
export function PropertyBody(props: PropertyBodyProps) {
  const { row, state, editing, locked, large, onSend } = props
  const { define, name } = row.property
  if (editing) {
    return (
      <ValueEditor
        property={row.property}
        text={row.text}
        okText={props.okText}
        onSend={onSend}
        onClose={props.onClose}
      />
    )
  }
  const sending = state?.phase === 'sending'
  const value = parseValue(define, row.text)
  const shown =
    sending && !isNumeric(define) && define.type !== DataType.struct && define.type !== DataType.array ? (
      <span className={large ? 'typed-value typed-value-large value-moving' : 'typed-value value-moving'}>
        {value === undefined ? '—' : describeValue(define, value)} → {describeValue(define, state.wanted)}
      </span>
    ) : (
      <TypedValue define={define} text={row.text} large={large} />
    )
  if (isWritable(row) && define.type === DataType.bool) {
    return (
      <>
        {shown}
        <Switch
          aria-label={name}
          title={locked}
          disabled={locked !== undefined}
          loading={sending}
          checked={sending ? state.wanted === true : value === true}
          onChange={onSend}
        />
      </>
    )
  }
  if (isWritable(row) && isDirect(row)) {
    return (
      <Segmented
        block
        className="property-choices"
        aria-label={name}
        disabled={locked !== undefined || sending}
        value={String(sending ? state.wanted : (value ?? ''))}
        options={Object.entries(define.mapping ?? {}).map(([key, label]) => ({ value: key, label }))}
        onChange={(key) => onSend(Number(key))}
      />
    )
  }
  return (
    <>
      {shown}
      {hasTrend(row) && <Spark trend={props.trend} label={name} />}
    </>
  )
}
