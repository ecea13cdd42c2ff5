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
import type { TasksKit } from './tasks-kit.ts'
import { updateTask } from './update-task.ts'

export function tasksRoutes(kit: TasksKit): MountedEndpoint[] {
  const retryTask = makeRetryTask(kit)
  return [
    on(contract.createTask, async (input, ctx) => {
      await refuseForeignCommands(kit, ctx.user, input.taskType)
      return createTask(kit, input, ctx.user)
    }),
    on(contract.updateTask, async (input, ctx) => {
      await refuseForeignTask(kit, ctx.user, input.taskID)
      if (input.taskType !== undefined) await refuseForeignCommands(kit, ctx.user, input.taskType)
      return updateTask(kit, input, ctx.user)
    }),
    on(contract.deleteTask, (input) => deleteTask(kit, input)),
    on(contract.listTasks, (input) => listTasks(kit.db, input)),
    on(contract.readTask, (input) => readTask(kit, input)),
    on(contract.previewTask, (input) => previewTask(kit, input)),
    on(contract.runTask, async (input, ctx) => {
      await refuseForeignTask(kit, ctx.user, input.taskID)
      return runTask(kit, input, ctx.user)
    }),
    on(contract.cancelTask, (input) => cancelTask(kit, input)),
    on(contract.retryTask, async (input, ctx) => {
      await refuseForeignTask(kit, ctx.user, input.taskID)
      return retryTask(input)
    }),
    on(contract.setTaskStatus, async (input, ctx) => {
      await refuseForeignTask(kit, ctx.user, input.taskID)
      return setTaskStatus(kit, input)
    }),
    on(results.listTaskRuns, (input) => listTaskRuns(kit, input)),
    on(results.listTaskDevices, (input) => listTaskDevices(kit.db, input)),
    on(results.exportTask, (input, ctx) => exportTask(kit, input, ctx.user)),
  ]
}
