/** A record for tests. */

import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'

export const sampleRecord = (over: Partial<AlarmRecord> = {}): AlarmRecord => ({
  id: 1,
  alarmID: 1,
  triggerType: 1,
  productID: 'pump0000001',
  deviceName: 'P02',
  sceneName: t('水泵超温联锁停泵'),
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
  alarmName: t('水泵超温'),
  productName: t('水泵站'),
  deviceAlias: t('闵行三号泵站-P02'),
  deviceType: 1,
  dealTime: 0,
  dealUserName: '',
  dealResult: '',
  dueTime: 0,
  cause: t('水泵温度 > 80 ℃（实际 83.6 ℃）'),
  ...over,
})
