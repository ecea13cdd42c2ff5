/** Where alarms are looked at (spec 2); the device page links there, too. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'

export const alarmQueuePath = '/alarmMangers/alarmConfiguration/log'

/** The queue with this record open beside it; handled ones are under 全部. */
export const recordPath = (id: number): string => `${alarmQueuePath}?tab=all&record=${id}`

/** The level is part of old links; the page reads it from the server. */
export const alarmLogPath = ({ id, level }: Pick<AlarmRecord, 'id' | 'level'>): string =>
  `${alarmQueuePath}/detail/${id}/${level}`

export const alarmListPath = '/alarmMangers/alarmConfiguration/index'
export const alarmSavePath = '/alarmMangers/alarmConfiguration/save'
export const alarmEditPath = (id: number, tab?: string): string =>
  `${alarmSavePath}?id=${id}${tab ? `&tab=${tab}` : ''}`
