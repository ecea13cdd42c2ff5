import type { Device } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType } from '@ithings/contract/thing-model/define.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { Button, Segmented, Switch } from 'antd'
import { useId, useState } from 'react'
import { rangeText, summariseDefine, summaryText } from '#blocks/model-form/define-summary.ts'
import { ValueIssue } from '#blocks/model-form/value-field.tsx'
import { isGroup, ValueInput } from '#blocks/model-form/value-input.tsx'
import { checkValue } from '#blocks/model-form/value-issues.ts'
import { TypedValue } from '#blocks/typed-value/typed-value.tsx'
import { describeValue, isNumeric, parseValue } from '#blocks/typed-value/value-text.ts'
import { hasTrend, isWritable, type PropertyRow } from './property-rows.ts'
import { sparkPath, type Trend } from './trend.ts'
import type { SendState } from './use-sends.ts'

interface ValueEditorProps {
  property: Property
  /** The reported value to begin with; '': none, so it begins empty. */
  text: string
  okText: string
  onSend: (value: unknown) => void
  onClose: () => void
}

/** A typed control in place of the value; faults show after the first try (screens.md 6.2). */
function ValueEditor({ property, text, okText, onSend, onClose }: ValueEditorProps) {
  const { define, name } = property
  const id = useId()
  const [value, setValue] = useState(() => parseValue(define, text))
  const [tried, setTried] = useState(false)
  const issues = checkValue(define, value, name)
  const send = () => {
    setTried(true)
    if (issues.size > 0) return
    onSend(value)
    onClose()
  }
  const hint = isNumeric(define) ? rangeText(define) : isGroup(define) ? '' : summaryText(summariseDefine(define))
  return (
    <form
      className="grow shrink"
      aria-label={t('设置{name}', { name })}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <ValueInput define={define} value={value} onChange={setValue} label={name} id={id} {...(tried && { issues })} />
      {tried && !isGroup(define) && <ValueIssue id={id} text={issues.get('')} />}
      <div className="row wrap touches above-8 gap-8">
        <span className="meta grow shrink">{hint}</span>
        <Button size="small" type="text" onClick={onClose}>
          {t('取消')}
        </Button>
        <Button size="small" htmlType="submit">
          {okText}
        </Button>
      </div>
    </form>
  )
}

/** Everything a card or a row of the table needs to show one property and to set it. */
export interface PropertyView {
  device: Device
  row: PropertyRow
  state: SendState | undefined
  trend: Trend | undefined
  watch: (node: Element | null) => void
  editing: boolean
  /** Why it cannot be set now; undefined when it can. */
  locked: string | undefined
  online: boolean
  /** The desired value that waits for the device, in words. */
  desired: string | undefined
  onSend: (value: unknown) => void
  onEdit: () => void
  onClose: () => void
  onRead: () => void
  onLeave: () => void
}

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

const sparkSize = { width: 96, height: 28 }
const sparkMargin = 3

/** A day of a value in the corner of its card; the page of the history has the real chart. */
function Spark({ trend, label }: { trend: Trend | undefined; label: string }) {
  if (!trend || trend.length < 2) return <span className="spark shrink" aria-hidden="true" />
  const [width, height] = [sparkSize.width + 2 * sparkMargin, sparkSize.height + 2 * sparkMargin]
  return (
    <svg
      className="spark shrink"
      viewBox={`${-sparkMargin} ${-sparkMargin} ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('{name}近 24 小时的趋势', { name: label })}
    >
      <path d={sparkPath(trend, sparkSize, Date.now())} />
    </svg>
  )
}

/** The value, or the control that sets it. A value on its way is shown as "old → new". */
export function PropertyBody({ view, large }: { view: PropertyView; large: boolean }) {
  const { row, state, locked, onSend } = view
  const { define, name } = row.property
  if (view.editing) {
    const okText = view.online ? t('设置', { context: 'verb' }) : t('写入影子')
    return (
      <ValueEditor property={row.property} text={row.text} okText={okText} onSend={onSend} onClose={view.onClose} />
    )
  }
  const sending = state?.phase === 'sending'
  const value = parseValue(define, row.text)
  const isPlain = !isNumeric(define) && define.type !== DataType.struct && define.type !== DataType.array
  const shown =
    sending && isPlain ? (
      <span className={`typed-value quiet ${large ? 'typed-value-large' : ''}`}>
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
        className="grow shrink"
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
      {hasTrend(row) && <Spark trend={view.trend} label={name} />}
    </>
  )
}
