import { Input } from 'antd'
import dayjs from 'dayjs'
import { useEffect, useId, useState } from 'react'
import { CronBuilder } from './cron-builder.tsx'
import './cron-input.css'
import { readPlan, writePlan } from './cron-plan.ts'
import type { CronReading } from './cron-verdict.ts'
import { zoneLabel } from './time.ts'

export interface CronInputProps {
  value?: string | undefined
  onChange?: (expression: string) => void
  disabled?: boolean
  id?: string
}

/** The reading of the current text; the heavy parts come on first use. */
function useReading(text: string): CronReading | undefined {
  const [reading, setReading] = useState<CronReading & { text: string }>()
  useEffect(() => {
    let current = true
    void import('./cron-verdict.ts').then(({ readCron }) => {
      if (current) setReading({ text, ...readCron(text) })
    })
    return () => {
      current = false
    }
  }, [text])
  return reading?.text === text ? reading : undefined
}

/** A 6-field cron expression: text, builder, verdict (spec 5), the next five runs and the zone they are in. */
export function CronInput({ value = '', onChange, disabled = false, id }: CronInputProps) {
  const verdictId = useId()
  const reading = useReading(value)
  const verdict = reading?.verdict
  return (
    <div className="cron-input">
      <CronBuilder plan={readPlan(value)} disabled={disabled} onChange={(plan) => onChange?.(writePlan(plan))} />
      <Input
        id={id}
        className="mono"
        aria-label="cron 表达式"
        aria-describedby={verdictId}
        placeholder="秒 分 时 日 月 周"
        spellCheck={false}
        autoComplete="off"
        disabled={disabled}
        status={verdict && !verdict.ok ? 'error' : ''}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <div id={verdictId} className="cron-verdict" role="status">
        {verdict && (
          <span className={verdict.ok ? 'tone-success' : 'tone-error'}>
            {verdict.message}
            {reading?.words && `：${reading.words}`}
          </span>
        )}
      </div>
      {verdict?.ok && (
        <div className="cron-runs">
          <span className="meta">
            接下来 {verdict.next.length} 次，时区 {zoneLabel()}
          </span>
          <ol>
            {verdict.next.map((run) => (
              <li key={run.getTime()}>{dayjs(run).format('YYYY-MM-DD HH:mm:ss dddd')}</li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}
