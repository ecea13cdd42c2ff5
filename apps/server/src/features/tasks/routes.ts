import * as results from '@ithings/contract/features/task-results.ts'
import * as contract from '@ithings/contract/features/tasks.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { cancelTask } from './cancel-task.ts'
import { createTask } from './create-task.ts'
import { deleteTask } from './delete-task.ts'
import { exportTask } from './export-results.ts'
import { listTaskRuns } from './list-runs.ts'
import { listTaskDevices } from './list-task-devices.ts'
import { listTasks } from './list-tasks.ts'
import { refuseForeignCommands, refuseForeignTask } from './own-commands.ts'
import { previewTask } from './preview-task.ts'
import { readTask } from './read-task.ts'
import { makeRetryTask } from './retry-task.ts'
import { runTask } from './run-task.ts'
import { setTaskStatus } from './set-task-status.ts'
import type { TasksDeps } from './tasks-deps.ts'
import { updateTask } from './update-task.ts'

export function tasksRoutes(deps: TasksDeps): MountedEndpoint[] {
  const retryTask = makeRetryTask(deps)
  return [
    on(contract.createTask, async (input, ctx) => {
      await refuseForeignCommands(deps, ctx.user, input.taskType)
      return createTask(deps, input, ctx.user)
    }),
    on(contract.updateTask, async (input, ctx) => {
      await refuseForeignTask(deps, ctx.user, input.taskID)
      if (input.taskType !== undefined) await refuseForeignCommands(deps, ctx.user, input.taskType)
      return updateTask(deps, input, ctx.user)
    }),
    on(contract.deleteTask, (input) => deleteTask(deps, input)),
    on(contract.listTasks, (input) => listTasks(deps.db, input)),
    on(contract.readTask, (input) => readTask(deps, input)),
    on(contract.previewTask, (input) => previewTask(deps, input)),
    on(contract.runTask, async (input, ctx) => {
      await refuseForeignTask(deps, ctx.user, input.taskID)
      return runTask(deps, input, ctx.user)
    }),
    on(contract.cancelTask, (input) => cancelTask(deps, input)),
    on(contract.retryTask, async (input, ctx) => {
      await refuseForeignTask(deps, ctx.user, input.taskID)
      return retryTask(input)
    }),
    on(contract.setTaskStatus, async (input, ctx) => {
      await refuseForeignTask(deps, ctx.user, input.taskID)
      return setTaskStatus(deps, input)
    }),
    on(results.listTaskRuns, (input) => listTaskRuns(deps, input)),
    on(results.listTaskDevices, (input) => listTaskDevices(deps.db, input)),
    on(results.exportTask, (input, ctx) => exportTask(deps, input, ctx.user)),
  ]
}
