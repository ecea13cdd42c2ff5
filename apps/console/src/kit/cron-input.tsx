import { t } from '@ithings/contract/text.ts'
import { localZone, zoneOffset } from '@ithings/contract/zone-days.ts'
import { Input } from 'antd'
import { useEffect, useId, useState } from 'react'
import { readLanguage, tagOf, useLanguage } from '#language/language.ts'
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
  /** IANA name of the server's zone, by which the schedule runs; without it the viewer's is meant. */
  timeZone?: string | undefined
}

/** The reading of the current text; the heavy parts come on first use. */
function useReading(text: string, timeZone: string | undefined): CronReading | undefined {
  const language = useLanguage()
  const [reading, setReading] = useState<CronReading & { text: string }>()
  useEffect(() => {
    let current = true
    void import('./cron-verdict.ts').then(({ readCron }) => {
      if (current) setReading({ text, ...readCron(text, timeZone, language) })
    })
    return () => {
      current = false
    }
  }, [text, timeZone, language])
  return reading?.text === text ? reading : undefined
}

/** 2026-11-16 08:00:00 星期一, as the clocks of that zone show it. */
function runText(run: Date, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat(tagOf[readLanguage()], {
    ...(timeZone && { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
  }).formatToParts(run)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}:${of('second')} ${of('weekday')}`
}

/** A 6-field cron expression: text, builder, verdict (spec 5), the next five runs in the viewer's zone, and in the server's where it is another. */
export function CronInput({ value = '', onChange, disabled, id, timeZone }: CronInputProps) {
  const verdictId = useId()
  const reading = useReading(value, timeZone)
  const verdict = reading?.verdict
  const apart = timeZone && zoneOffset(timeZone) !== zoneOffset(localZone()) ? timeZone : undefined
  // Nothing typed is not wrong yet.
  const tone = verdict?.ok ? 'tone-success' : value === '' ? 'meta' : 'tone-error'
  return (
    <div className="column gap-8">
      <CronBuilder plan={readPlan(value)} disabled={disabled} onChange={(plan) => onChange?.(writePlan(plan))} />
      <Input
        id={id}
        className="mono"
        aria-label={t('cron 表达式')}
        aria-describedby={verdictId}
        placeholder={t('秒 分 时 日 月 周')}
        spellCheck={false}
        autoComplete="off"
        disabled={disabled}
        status={verdict && tone === 'tone-error' ? 'error' : ''}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <div id={verdictId} className="cron-verdict" role="status">
        {verdict && (
          <span className={tone}>
            {t(verdict.message)}
            {reading?.words &&
              (timeZone
                ? t('：{words}（{offset}）', { words: reading.words, offset: zoneOffset(timeZone) })
                : t('：{words}', { words: reading.words }))}
          </span>
        )}
      </div>
      {verdict?.ok && (
        <div className="cron-runs head-fill pad-8-12 round-6">
          <span className="meta">
            {t('接下来 {count} 次，时区 {zone}', { count: verdict.next.length, zone: zoneLabel() })}
            {apart && t('；按服务器时区 {zone}执行', { zone: zoneLabel(new Date(), apart) })}
          </span>
          <ol>
            {verdict.next.map((run) => (
              <li key={run.getTime()}>
                {runText(run)}
                {apart && <span className="meta">　{t('服务器 {time}', { time: runText(run, apart) })}</span>}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  )
}
