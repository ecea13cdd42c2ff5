export type { AlarmDoor, RaisingRun } from './alarm-door.ts'
