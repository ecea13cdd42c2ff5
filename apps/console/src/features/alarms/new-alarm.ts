/**
 * Whether there is an alarm that was not there before, by the moment when the newest of the open ones was opened
 * (countAlarmRecords). What an open one reports again is none, nor is what was there when the page was opened. Pure.
 */
export const isNewAlarm = (before: number | undefined, newest: number | undefined): boolean =>
  before !== undefined && newest !== undefined && newest > before
