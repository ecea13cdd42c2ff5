import { checkParts } from './read-plan.ts'
import { follow, openRun } from './start-run.ts'
import { findTask, lockTask } from './store.ts'
import type { Person, TasksDeps } from './tasks-deps.ts'

/** Once more, now; its schedule stays as it is. Refused while a run is open (100024). */
export async function runTask(deps: TasksDeps, { taskID }: { taskID: number }, person: Person) {
  // The model, the configuration or the group may not be what they were.
  await checkParts(deps, (await findTask(deps.db, taskID)).plan)
  const started = await deps.db.transaction().execute(async (db) => {
    const task = await lockTask(db, taskID)
    return openRun(deps, db, task, { trigger: 'manual', person, refuseEmpty: true })
  })
  await follow(deps, started, person)
  return { runID: String(started.runID) }
}
