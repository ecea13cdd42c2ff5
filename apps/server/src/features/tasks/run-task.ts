import { checkParts } from './read-plan.ts'
import { follow, openRun } from './start-run.ts'
import { findTask, lockTask } from './store.ts'
import type { Person, TasksKit } from './tasks-kit.ts'

/** Once more, now; its schedule stays as it is. Refused while a run is open (100024). */
export async function runTask(kit: TasksKit, { taskID }: { taskID: number }, person: Person) {
  // The model, the configuration or the group may not be what they were.
  await checkParts(kit, (await findTask(kit.db, taskID)).plan)
  const started = await kit.db.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    return openRun(kit, db, task, { trigger: 'manual', person, refuseEmpty: true })
  })
  await follow(kit, started, person)
  return { runID: String(started.runID) }
}
