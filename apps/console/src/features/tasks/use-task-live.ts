import { listTaskDevices, listTaskRuns } from '@ithings/contract/features/task-results.ts'
import { listTasks, readTask, taskTopic } from '@ithings/contract/features/tasks.ts'
import { useLive } from '#api/live.ts'

/** A device of the task moved on: its drawer and its row are read again. */
export function useTaskLive(taskID: number | undefined): void {
  useLive(taskID === undefined ? undefined : taskTopic(taskID), {
    info: [[readTask.path, { taskID }], [listTaskRuns.path], [listTaskDevices.path], [listTasks.path]],
  })
}
