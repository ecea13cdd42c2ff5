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
import { App } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { useTaskWork } from '../queries.ts'
import { asOfRun, cancelTaskText, cancelText, isCron, isDisabled, targetText, whyNot } from '../task-words.ts'

interface Ways {
  open: (taskID: number) => void
  edit: (task: DeviceTask) => void
  copy: (task: DeviceTask) => void
  /** After it is gone. */
  removed?: () => void
}

const seen = (task: DeviceTask, of: TaskRun | undefined) => (of ? asOfRun(task, of) : task)

/** What can be done with one task, in rows and in its drawer. */
export function useTaskActions(ways: Ways) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const work = useTaskWork()

  const run = (task: DeviceTask) =>
    confirm({
      title: `立即执行任务「${task.taskName}」？`,
      content: `将按任务内容向「${targetText(task)}」再执行一次，目标按现在的设备重新计算。`,
      okText: '立即执行',
      onOk: async () => {
        await work.run(task.taskID)
        void message.success('已开始执行')
        ways.open(task.taskID)
      },
    })
  const retry = (task: DeviceTask, of?: TaskRun) =>
    confirm({
      title: `重试 ${(of ?? task).failed.toLocaleString()} 台失败的设备？`,
      content: `任务「${task.taskName}」${of ? `批次 ${of.runID} ` : '最近一次执行'}中失败或取消的设备会重新下发。`,
      okText: '重试',
      onOk: async () => {
        const { done } = await work.retry({ taskID: task.taskID, runID: of?.runID })
        void message.success(`已重新下发 ${done.toLocaleString()} 台`)
      },
    })
  const cancel = (task: DeviceTask, of?: TaskRun) =>
    confirm({
      title: of ? `取消任务「${task.taskName}」的批次 ${of.runID}？` : `取消任务「${task.taskName}」？`,
      content: of ? cancelText : cancelTaskText(task),
      danger: true,
      okText: '取消任务',
      onOk: async () => {
        await work.cancel({ taskID: task.taskID, runID: of?.runID })
        void message.success('已取消')
      },
    })
  const enable = (task: DeviceTask) => {
    const on = isDisabled(task)
    work.setEnabled(task.taskID, on ? 1 : 2).then(
      () => message.success(on ? '已启用' : '已停用，不再按周期执行'),
      (error: unknown) => message.error(`${on ? '启用' : '停用'}失败：${describeError(error).reason}`),
    )
  }
  const remove = (task: DeviceTask) =>
    confirm({
      title: `删除任务「${task.taskName}」？`,
      content: '任务和它的执行记录、设备明细一并删除，无法恢复。',
      danger: true,
      okText: '删除',
      onOk: async () => {
        await work.remove(task.taskID)
        ways.removed?.()
        void message.success('删除成功')
      },
    })

  const refused = (hint: string | undefined) => (hint === undefined ? {} : { disabled: true, hint })
  /** @param of the run that is looked at, when it is not simply the latest */
  const actionsOf = (task: DeviceTask, of?: TaskRun): RowAction[] => [
    { key: 'open', label: '查看', onClick: () => ways.open(task.taskID) },
    { key: 'run', label: '立即执行', needs: runTask, onClick: () => run(task), ...refused(whyNot.run(task)) },
    ...(whyNot.retry(seen(task, of)) === undefined
      ? [{ key: 'retry', label: '重试失败', needs: retryTask, onClick: () => retry(task, of) }]
      : []),
    ...(whyNot.cancel(seen(task, of)) === undefined
      ? [{ key: 'cancel', label: '取消', needs: cancelTask, onClick: () => cancel(task, of) }]
      : []),
    ...(isCron(task)
      ? [
          {
            key: 'enable',
            label: isDisabled(task) ? '启用' : '停用',
            needs: setTaskStatus,
            onClick: () => enable(task),
          },
        ]
      : []),
    // What has run is copied; a schedule can be stopped and edited.
    ...(isCron(task) || whyNot.edit(task) === undefined
      ? [
          {
            key: 'edit',
            label: '编辑',
            needs: updateTask,
            onClick: () => ways.edit(task),
            ...refused(whyNot.edit(task)),
          },
        ]
      : []),
    { key: 'copy', label: '复制', needs: createTask, onClick: () => ways.copy(task) },
    {
      key: 'delete',
      label: '删除',
      needs: deleteTask,
      danger: true,
      onClick: () => remove(task),
      ...refused(whyNot.remove(task)),
    },
  ]
  return { actionsOf, run, retry, cancel, enable, remove }
}
