import * as config from '@ithings/contract/features/alarms/config.ts'
import * as record from '@ithings/contract/features/alarms/record.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
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

export const alarmsRoutes = (deps: AlarmsDeps): MountedEndpoint[] => {
  const { db, clock } = deps
  const asker = ({ userID }: { userID: number }) => ({ userID, now: clock.now() })
  return [
    on(config.createAlarm, (input) => createAlarm(deps, input)),
    on(config.updateAlarm, (input) => updateAlarm(deps, input)),
    on(config.deleteAlarm, (input) => deleteAlarm(deps, input)),
    on(config.readAlarm, (input) => readAlarm(db, input)),
    on(config.listAlarms, (input) => listAlarms(db, input)),
    on(config.linkScenes, (input) => replaceScenes(db, input)),
    on(config.addScenes, (input) => addScenes(db, input)),
    on(config.unlinkScene, (input) => removeScene(db, input)),
    on(record.listAlarmRecords, (input, ctx) => listRecords(db, input, asker(ctx.user))),
    on(record.countAlarmRecords, (input, ctx) => countRecords(db, input, asker(ctx.user))),
    on(record.claimRecords, ({ ids, release }, ctx) =>
      release ? releaseRecords(deps, ids, ctx.user) : claimRecords(deps, ids, ctx.user),
    ),
    on(record.ignoreRecords, ({ ids }, ctx) => ignoreRecords(deps, ids, ctx.user)),
    on(record.dealRecords, ({ ids, result }, ctx) => dealRecords(deps, ids, { user: ctx.user, result })),
    on(record.createDealRecord, ({ alarmRecordID, result }, ctx) =>
      dealRecord(deps, alarmRecordID, { user: ctx.user, result }),
    ),
    on(record.listAlarmLogs, (input) => listLogs(db, input)),
    on(record.countAlarmLogs, (input) => countLogs(db, input, clock.now())),
    on(record.listDealRecords, (input) => listDeals(db, input)),
  ]
}
