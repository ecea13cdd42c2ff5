import { JsonView } from '#kit/json-view.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag, type StatusTone } from '#kit/status-tag.tsx'
import { latencyText } from '../log-table/log-cells.tsx'
import { resultOf, successCode } from '../log-table/result-view.ts'
import type { SentRequest } from './sends.ts'
import type { Sender } from './use-send.ts'

// look.md "Chips": under 500 ms green, to 3 s amber, refused or timed out red.
const quick = 500
const slow = 3000

const toneOf = ({ code, latency }: Pick<SentRequest, 'code' | 'latency'>): StatusTone => {
  if (code !== successCode) return 'error'
  return latency < quick ? 'success' : latency <= slow ? 'warning' : 'error'
}

export const SentChip = ({ sent }: { sent: Pick<SentRequest, 'code' | 'latency'> }) => (
  <StatusTag filled text={`${sent.code} · ${latencyText(sent.latency)}`} tone={toneOf(sent)} />
)

const hasOutput = (output: string) => output !== '' && output !== 'null' && output !== '{}'

/** What came of the send before: stays until the next one. */
export function LastOutcome({ sender: { pending, outcome, error } }: { sender: Sender }) {
  if (pending) {
    return (
      <div className="debug-outcome" role="status">
        已发出，等待设备回复…
      </div>
    )
  }
  if (error) {
    return (
      <div className="debug-outcome debug-outcome-failed" role="alert">
        {describeError(error).reason}
      </div>
    )
  }
  if (!outcome) return null
  const { ok, advice } = resultOf({ resultType: String(outcome.code), msg: outcome.text })
  return (
    <div className={ok ? 'debug-outcome' : 'debug-outcome debug-outcome-failed'} role="status">
      <div className="debug-outcome-line row wrap">
        <SentChip sent={outcome} />
        <span>{outcome.text}</span>
      </div>
      {advice && <span className="meta">{advice}</span>}
      {hasOutput(outcome.output) && <JsonView value={outcome.output} openLevels={3} maxHeight={200} />}
    </div>
  )
}
