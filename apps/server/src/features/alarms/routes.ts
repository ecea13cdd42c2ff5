import * as config from '@ithings/contract/features/alarms/config.ts'
import * as record from '@ithings/contract/features/alarms/record.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { AlarmsKit } from './alarms-kit.ts'
import { countLogs } from './count-logs.ts'
import { countRecords } from './count-records.ts'
import { createAlarm } from './create-alarm.ts'
import { claimRecords, dealRecord, dealRecords, ignoreRecords, releaseRecords } from './deal-records.ts'
import { deleteAlarm } from './delete-alarm.ts'
import { addScenes, removeScene, replaceScenes } from './link-scenes.ts'
import { listAlarms, readAlarm } from './list-alarms.ts'
import { listDeals, listLogs } from './list-logs.ts'
import { listRecords } from './list-records.ts'
import { updateAlarm } from './update-alarm.ts'

export const alarmsRoutes = (kit: AlarmsKit): MountedEndpoint[] => {
  const { db, clock } = kit
  const asker = ({ userID }: { userID: number }) => ({ userID, now: clock.now() })
  return [
    on(config.createAlarm, (input) => createAlarm(kit, input)),
    on(config.updateAlarm, (input) => updateAlarm(kit, input)),
    on(config.deleteAlarm, (input) => deleteAlarm(kit, input)),
    on(config.readAlarm, (input) => readAlarm(db, input)),
    on(config.listAlarms, (input) => listAlarms(db, input)),
    on(config.linkScenes, (input) => replaceScenes(db, input)),
    on(config.addScenes, (input) => addScenes(db, input)),
    on(config.unlinkScene, (input) => removeScene(db, input)),
    on(record.listAlarmRecords, (input, ctx) => listRecords(db, input, asker(ctx.user))),
    on(record.countAlarmRecords, (input, ctx) => countRecords(db, input, asker(ctx.user))),
    on(record.claimRecords, ({ ids, release }, ctx) =>
      release ? releaseRecords(kit, ids, ctx.user) : claimRecords(kit, ids, ctx.user),
    ),
    on(record.ignoreRecords, ({ ids }, ctx) => ignoreRecords(kit, ids, ctx.user)),
    on(record.dealRecords, ({ ids, result }, ctx) => dealRecords(kit, ids, { user: ctx.user, result })),
    on(record.createDealRecord, ({ alarmRecordID, result }, ctx) =>
      dealRecord(kit, alarmRecordID, { user: ctx.user, result }),
    ),
    on(record.listAlarmLogs, (input) => listLogs(db, input)),
    on(record.countAlarmLogs, (input) => countLogs(db, input, clock.now())),
    on(record.listDealRecords, (input) => listDeals(db, input)),
  ]
}
