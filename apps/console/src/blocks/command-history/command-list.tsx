/** The latest commands of a device in short, for the side of a command panel. */

import type { CommandRow } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import './command-history.css'
import { describeCommand, latencyText, outcomeOfRow } from './command-words.ts'

interface CommandListProps {
  rows: readonly CommandRow[]
  model: ThingModel | undefined
  /** Offered for what failed or got no answer. */
  onRepeat?: (row: CommandRow) => void
}

export function CommandList({ rows, model, onRepeat }: CommandListProps) {
  return (
    <ul className="bare-list">
      {rows.map((row) => {
        const { tone, label, text } = outcomeOfRow(row)
        const again = onRepeat && (tone === 'error' || tone === 'warning')
        return (
          <li key={row.clientToken} className="line-above" style={{ padding: '10px 16px' }}>
            <div className="row between shrink gap-8">
              <span className="shrink anywhere">{describeCommand(row, model)}</span>
              <StatusTag filled tone={tone} text={label} />
            </div>
            <div className="row between shrink gap-8">
              <code className="mono-payload cut softer shrink" title={row.payload}>
                {row.payload}
              </code>
              {Number(row.doneTime) > 0 && !row.viaShadow && <span className="meta">{latencyText(row.latency)}</span>}
            </div>
            {text && <div className={`command-why line-20 small tone-${tone}`}>{text}</div>}
            <div className="row between shrink meta gap-8">
              <span>
                {formatTime(row.sentTime, 'MM-DD HH:mm:ss.SSS')}　{row.userName || t('系统')}
              </span>
              {again && (
                <button type="button" className="plain-button tone-processing" onClick={() => onRepeat(row)}>
                  {t('重发')}
                </button>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
