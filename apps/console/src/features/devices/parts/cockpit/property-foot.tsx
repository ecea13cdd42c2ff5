import { ClockCircleOutlined, LoadingOutlined } from '@ant-design/icons'
import type { Define } from '@ithings/contract/thing-model/define.ts'
import { Tooltip } from 'antd'
import { latencyText } from '#blocks/command-history/command-words.ts'
import { describeText, isNumeric, isState } from '#blocks/typed-value/value-text.ts'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { type PropertyRow, silenceText } from './property-rows.ts'
import type { SendState } from './use-sends.ts'

/** 「0.41 → 0.42」: short enough for the foot of a card; texts, times and groups are only said to be new. */
function fromTo(define: Define, before: string, now: string): string {
  if (!isNumeric(define) && !isState(define)) return '更新'
  const plain = { ...define, unit: '' }
  return `${describeText(plain, before)} → ${describeText(plain, now)}`
}

interface PropertyAgeProps {
  row: PropertyRow
  state: SendState | undefined
  /** The value before, for a moment after a change. */
  before: string | undefined
  online: boolean
}

/** How old the value is, or what the command at it is doing. */
export function PropertyAge({ row, state, before, online }: PropertyAgeProps) {
  if (state?.phase === 'sending' || state?.phase === 'reading') {
    return (
      <span className="age-waiting" role="status">
        <LoadingOutlined aria-hidden="true" />{' '}
        {state.phase === 'reading' ? '读取中，等待设备回复' : '下发中，等待设备回复'}
      </span>
    )
  }
  if (state?.outcome?.tone === 'success') {
    return (
      <span className="tone-success" role="status">
        设备已回复{state.took !== undefined && ` ${latencyText(state.took)}`}
      </span>
    )
  }
  const { define } = row.property
  if (before !== undefined) {
    return (
      <span className="age-changed">
        <b>刚刚</b> {fromTo(define, before, row.text)}
      </span>
    )
  }
  if (row.freshness === 'never') return <span>从未上报</span>
  if (row.freshness === 'stale' && online) {
    return (
      <Tooltip title={formatTime(row.timestamp)}>
        <span className="tone-warning">
          <ClockCircleOutlined aria-hidden="true" /> {silenceText(row.timestamp, Date.now())}
        </span>
      </Tooltip>
    )
  }
  return <TimeText value={row.timestamp} />
}

/** A refusal or a time-out stays where the eye is, with what to do (look.md "Feedback"). */
export function PropertyOutcome({ state }: { state: SendState | undefined }) {
  const outcome = state?.outcome
  if (!outcome || outcome.tone === 'success') return null
  return (
    <div className={`property-outcome tone-${outcome.tone}`} role="alert">
      <b>{outcome.label}</b> {outcome.text}
    </div>
  )
}
