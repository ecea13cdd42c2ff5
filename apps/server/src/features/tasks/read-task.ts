import { readView } from './list-tasks.ts'
import { findTask, unknownTask } from './store.ts'
import { toTask } from './task-wire.ts'
import type { TasksDeps } from './tasks-deps.ts'

export async function readTask({ db }: TasksDeps, { taskID }: { taskID: number }) {
  const { plan } = await findTask(db, taskID)
  const view = await readView(db, taskID)
  // It was deleted while it was read.
  if (!view) throw unknownTask(taskID)
  return {
    ...toTask(view),
    desc: plan.desc,
    deviceNames: plan.deviceNames ?? [],
    groupID: plan.groupID ? String(plan.groupID) : '',
    includeChildren: plan.includeChildren,
    onlineOnly: plan.onlineOnly,
    data: plan.data ?? '',
    actionID: plan.actionID ?? '',
    inputParams: plan.inputParams ?? '',
    configID: plan.configID ?? 0,
    shadowControl: plan.shadowControl,
    validStart: plan.validStart,
    validEnd: plan.validEnd,
    timeout: plan.timeout,
    retryCount: plan.retryCount,
    retryInterval: plan.retryInterval,
    rate: plan.rate,
    failStop: plan.failStop,
  }
}
