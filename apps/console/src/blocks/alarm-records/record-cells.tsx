/** Cells of alarm records that count the seconds by themselves, so that a table need not be drawn again for them. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import './alarm-records.css'
import { durationText, handlerName, isOpenRecord, lastedMs, recordLook, timeLeft } from './record-words.ts'
import { useNow } from './use-now.ts'

const minute = 60_000

export function Lasted({ record }: { record: AlarmRecord }) {
  // Seconds are shown in the first hour only.
  const pace = isOpenRecord(record) && Date.now() - record.firstAlarm < 60 * minute ? 1000 : minute
  const now = useNow(pace)
  return <span className="lasted nowrap">{durationText(lastedMs(record, now))}</span>
}

const leftTones = { ok: 'softer', soon: 'tone-warning', over: 'tone-error bold' }

/** Nothing where no limit was set. */
export function DueTime({ record }: { record: AlarmRecord }) {
  const now = useNow()
  const left = timeLeft(record, now)
  return left ? <span className={`nowrap ${leftTones[left.tone]}`}>{left.text}</span> : null
}

export function RecordState({ record }: { record: AlarmRecord }) {
  const who = handlerName(record)
  return (
    <span className="record-state column">
      <StatusTag {...recordLook(record)} />
      {who && (
        <span className="meta cut" title={who}>
          {who}
        </span>
      )}
    </span>
  )
}
