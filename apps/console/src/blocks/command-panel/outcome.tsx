import { t } from '@ithings/contract/text.ts'
import { JsonView } from '#kit/json-view.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { latencyText, latencyTone } from '../log-table/log-cells.tsx'
import { resultOf, successCode } from '../log-table/result-view.ts'
import type { SentRequest } from './sends.ts'
import type { Sender } from './use-send.tsx'

export const SentChip = ({ sent: { code, latency } }: { sent: Pick<SentRequest, 'code' | 'latency'> }) => (
  <StatusTag
    filled
    text={`${code} · ${latencyText(latency)}`}
    tone={code === successCode ? latencyTone(latency) : 'error'}
  />
)

const hasOutput = (output: string) => output !== '' && output !== 'null' && output !== '{}'

/** What came of the send before: stays until the next one. */
export function LastOutcome({ sender: { pending, outcome, error } }: { sender: Sender }) {
  if (pending) {
    return (
      <div className="head-fill pad-8-12 round-6 column above-16 gap-8" role="status">
        {t('已发出，等待设备回复…')}
      </div>
    )
  }
  if (error) {
    return (
      <div className="head-fill pad-8-12 round-6 column above-16 tone-error gap-8" role="alert">
        {describeError(error).reason}
      </div>
    )
  }
  if (!outcome) return null
  const { ok, advice } = resultOf({ resultType: String(outcome.code), msg: outcome.text })
  return (
    <div className={`head-fill pad-8-12 round-6 column above-16 gap-8 ${ok ? '' : 'tone-error'}`} role="status">
      <div className="row wrap gap-8">
        <SentChip sent={outcome} />
        <span>{outcome.text}</span>
      </div>
      {advice && <span className="meta">{advice}</span>}
      {hasOutput(outcome.output) && <JsonView value={outcome.output} openLevels={3} maxHeight={200} />}
    </div>
  )
}
