/** A record for tests. */
import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'

export const sampleRecord = (over: Partial<AlarmRecord> = {}): AlarmRecord => ({
  id: 1,
  alarmID: 1,
  triggerType: 1,
  productID: 'pump0000001',
  deviceName: 'P02',
  sceneName: '水泵超温联锁停泵', // not a text: made up
  sceneID: 1,
  level: 5,
  lastAlarm: 2000,
  dealState: 2,
  createdTime: 1000,
  count: 6,
  firstAlarm: 1000,
  claimUserID: '0',
  claimUserName: '',
  claimTime: 0,
  totalCount: 6,
  openedCount: 6,
  alarmName: '水泵超温', // not a text: made up
  productName: '水泵站', // not a text: made up
  deviceAlias: '闵行三号泵站-P02', // not a text: made up
  deviceType: 1,
  dealTime: 0,
  dealUserName: '',
  dealResult: '',
  dueTime: 0,
  cause: '水泵温度 > 80 ℃（实际 83.6 ℃）', // not a text: made up
  ...over,
})
