import { type AlarmInfo, alarmInfo } from '@ithings/contract/features/alarms/config.ts'
import { dealResults } from '@ithings/contract/features/alarms/record.ts'
import { kept } from '@ithings/contract/text.ts'
import type { AlarmRow } from './store.ts'

/** Rows may lack a setting: they were written before it existed, or without any. */
export const notifyOf = (stored: AlarmRow['notify']): AlarmInfo['notify'] => alarmInfo.shape.notify.parse(stored)

/** What the server wrote itself is said to whoever reads it; what people wrote stays. */
export const resultText = (stored: string): string =>
  stored === dealResults.relieved || stored === dealResults.ignored ? kept(stored, { context: 'state' }) : stored

export interface AlarmCounts {
  scenes: number
  raising: number
  open: number
}

export const toAlarmInfo = (row: AlarmRow, counts: AlarmCounts): AlarmInfo => ({
  id: row.id,
  name: row.name,
  // decisions.md 2 "Alarm config state": existing consoles read `state`.
  status: row.status,
  state: row.status,
  desc: row.description,
  level: row.level,
  createdTime: row.created_at.getTime(),
  rev: row.rev,
  notify: notifyOf(row.notify),
  sceneCount: counts.scenes,
  raisingCount: counts.raising,
  openCount: counts.open,
})
