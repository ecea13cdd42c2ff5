import type { DataOf } from '@ithings/contract/endpoint.ts'
import { alarmLevelLabels, alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import type { countAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import { AlarmBars } from '#blocks/alarm-level.tsx'
import { numberText } from '#kit/number-text.ts'

export type RecordCount = DataOf<typeof countAlarmRecords>

interface LevelCountersProps {
  count: RecordCount | undefined
  /** `5` or undefined: every level. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** look.md 12: counters are filters; a second click takes it back. */
export function LevelCounters({ count, value, onChange }: LevelCountersProps) {
  return (
    <div className="list-card counters">
      {alarmLevels.map((level) => {
        const row = count?.levels.find((one) => one.level === level)
        const on = value === String(level)
        const open = row?.open ?? 0
        return (
          <button
            key={level}
            type="button"
            className={on ? 'plain-button counter counter-on' : 'plain-button counter'}
            aria-pressed={on}
            onClick={() => onChange(on ? undefined : String(level))}
          >
            <span
              className="counter-label row gap-8"
              style={{ color: level >= 3 ? `var(--level-${level})` : 'var(--secondary)' }}
            >
              <AlarmBars level={level} />
              {t(alarmLevelLabels[level])}
            </span>
            <span className="counter-value flex baseline bold">
              {count ? numberText(open) : '—'}
              {row && row.overdue > 0 && (
                <span className="counter-hint regular line-20 small quiet">
                  {t('{count, number} 条超时', { count: row.overdue })}
                </span>
              )}
            </span>
          </button>
        )
      })}
    </div>
  )
}
