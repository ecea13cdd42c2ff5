import { RightOutlined } from '@ant-design/icons'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { useState } from 'react'
import { Latency } from '#blocks/log-table/log-cells.tsx'
import { formatTime } from '#kit/time.ts'
import { RunDetail } from './run-detail.tsx'
import { RunIcon } from './run-icon.tsx'
import { resultLook, runSummary, startedBy } from './run-words.ts'

interface RunEntryProps {
  run: SceneLog
  onTrace: (tranceID: string) => void
}

/** One run in a line; the rest of it opens below. */
export function RunEntry({ run, onTrace }: RunEntryProps) {
  const [open, setOpen] = useState(false)
  const who = startedBy(run)
  const missed = run.result === RunResult.missed
  return (
    <li className="run-entry">
      <button type="button" className="plain-button run-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <RightOutlined className="run-caret" aria-hidden="true" />
        <RunIcon result={run.result} />
        <time className="run-time nowrap softer">{formatTime(run.startTime, 'MM-DD HH:mm:ss')}</time>
        <span className="run-who cut shrink" title={who}>
          {who}
        </span>
        <span className="run-summary shrink anywhere softer">
          <span className={missed ? '' : `tone-${resultLook(run.result).tone} run-tone`}>{runSummary(run)}</span>
        </span>
        {run.latency > 0 && !missed && (
          <span className="run-latency" title="从触发到首个动作">
            <Latency ms={run.latency} />
          </span>
        )}
      </button>
      {open && <RunDetail run={run} onTrace={onTrace} />}
    </li>
  )
}
