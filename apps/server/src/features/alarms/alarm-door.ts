import type { AlarmDoor } from '#features/scenes/door.ts'
import type { AlarmsKit } from './alarms-kit.ts'
import { clearAlarms } from './clear-alarm.ts'
import { raiseAlarms } from './raise-alarm.ts'

/** What scenes ask of alarms. */
export const makeAlarmDoor = (kit: AlarmsKit): AlarmDoor => ({
  raise: (run) => raiseAlarms(kit, run),
  clear: (run) => clearAlarms(kit, run),
})
