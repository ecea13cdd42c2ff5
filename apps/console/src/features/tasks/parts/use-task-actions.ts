import type { TaskRun } from '@ithings/contract/features/task-results.ts'
import {
  cancelTask,
  createTask,
  type DeviceTask,
  deleteTask,
  retryTask,
  runTask,
  setTaskStatus,
  updateTask,
} from '@ithings/contract/features/tasks.ts'
import { t } from '@ithings/contract/text.ts'
import { useActs } from '#blocks/rollout/use-acts.ts'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { useTaskRemoval, useTaskSend } from '../queries.ts'
import {
  asOfRun,
  cancelTaskText,
  cancelText,
  isCron,
  isDisabled,
  retriedText,
  targetText,
  whyNot,
} from '../task-words.ts'

export interface TaskWays {
  open: (taskID: number) => void
  edit: (task: DeviceTask) => void
  copy: (task: DeviceTask) => void
  /** After it is gone. */
  removed: () => void
}

/** What is asked before something is done to a task, and what is said afterwards. */
function useTaskQuestions(ways: TaskWays) {
  const { ask, orTell } = useActs()
  const send = useTaskSend()
  const removal = useTaskRemoval()
  return {
    run: ({ taskID, taskName, ...task }: DeviceTask) =>
      ask({
        title: t('立即执行任务「{name}」？', { name: taskName }),
        content: t('将按任务内容向「{target}」再执行一次，目标按现在的设备重新计算。', {
          target: targetText(task),
        }),
        okText: t('立即执行'),
        work: () => send(runTask, { taskID }).then(() => ways.open(taskID)),
        done: t('已开始执行'),
      }),
    retry: (task: DeviceTask, of?: TaskRun) =>
      ask({
        title: t('重试 {count, number} 台失败的设备？', { count: (of ?? task).failed }),
        content: of
          ? t('任务「{name}」批次 {runID} 中失败或取消的设备会重新下发。', { name: task.taskName, runID: of.runID })
          : t('任务「{name}」最近一次执行中失败或取消的设备会重新下发。', { name: task.taskName }),
        okText: t('重试'),
        work: () => send(retryTask, { taskID: task.taskID, runID: of?.runID }),
        done: retriedText,
      }),
    cancel: (task: DeviceTask, of?: TaskRun) =>
      ask({
        title: of
          ? t('取消任务「{name}」的批次 {runID}？', { name: task.taskName, runID: of.runID })
          : t('取消任务「{name}」？', { name: task.taskName }),
        content: of ? t(cancelText) : cancelTaskText(task),
        danger: true,
        okText: t('取消任务'),
        work: () => send(cancelTask, { taskID: task.taskID, runID: of?.runID }),
        done: t('已取消'),
      }),
    enable: (task: DeviceTask) => {
      const on = isDisabled(task)
      const work = send(setTaskStatus, { taskID: task.taskID, isEnable: on ? 1 : 2 })
      void orTell(
        on ? t('启用', { context: 'action' }) : t('停用', { context: 'action' }),
        work,
        on ? t('已启用') : t('已停用，不再按周期执行'),
      )
    },
    remove: ({ taskID, taskName }: DeviceTask) =>
      ask({
        title: t('删除任务「{name}」？', { name: taskName }),
        content: t('任务和它的执行记录、设备明细一并删除，无法恢复。'),
        danger: true,
        okText: t('删除'),
        work: () => removal(deleteTask, { taskID }).then(ways.removed),
        done: t('删除成功'),
      }),
  }
}

const refused = (hint: string | undefined) => (hint === undefined ? {} : { disabled: true, hint })

/**
 * What can be done with one task, in rows and in its drawer.
 * @returns a function of the task and of the run that is looked at, when it is not simply the latest
 */
export function useTaskActions(ways: TaskWays) {
  const { run, retry, cancel, enable, remove } = useTaskQuestions(ways)
  return (task: DeviceTask, of?: TaskRun): RowAction[] => {
    const seen = of ? asOfRun(task, of) : task
    const toggle = isDisabled(task) ? t('启用', { context: 'action' }) : t('停用', { context: 'action' })
    const whyNotEdit = whyNot.edit(task)
    const acts: (RowAction | false)[] = [
      { key: 'open', label: t('查看'), onClick: () => ways.open(task.taskID) },
      { key: 'run', label: t('立即执行'), needs: runTask, onClick: () => run(task), ...refused(whyNot.run(task)) },
      !whyNot.retry(seen) && { key: 'retry', label: t('重试失败'), needs: retryTask, onClick: () => retry(task, of) },
      !whyNot.cancel(seen) && { key: 'cancel', label: t('取消'), needs: cancelTask, onClick: () => cancel(task, of) },
      isCron(task) && { key: 'enable', label: toggle, needs: setTaskStatus, onClick: () => enable(task) },
      // What has run is copied; a schedule can be stopped and edited.
      (isCron(task) || !whyNotEdit) && {
        key: 'edit',
        label: t('编辑'),
        needs: updateTask,
        onClick: () => ways.edit(task),
        ...refused(whyNotEdit),
      },
      { key: 'copy', label: t('复制'), needs: createTask, onClick: () => ways.copy(task) },
      {
        key: 'delete',
        label: t('删除'),
        needs: deleteTask,
        danger: true,
        onClick: () => remove(task),
        ...refused(whyNot.remove(task)),
      },
    ]
    return acts.filter((act) => act !== false)
  }
}
