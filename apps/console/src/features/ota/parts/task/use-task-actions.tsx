import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { App } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { isHalted } from '../../labels.ts'
import { countOf } from '../../progress.ts'
import { useTaskWork } from '../../task-queries.ts'

const titleOf = ({ firmwareName, version }: OtaTask) => `「${firmwareName} ${version}」`

/** screens.md 22: the text of cancelling must say it. */
const flashNote = '正在写入固件的设备无法中断，仍可能升级完成。'

interface ManyResult {
  done: number
  failed: readonly { id: number; msg: string }[]
}

/** What a person does to a task as a whole, each with its question. */
export function useTaskActions() {
  const { message, modal } = App.useApp()
  const confirm = useConfirm()
  const work = useTaskWork()

  const orTell = (what: string, job: Promise<unknown>) =>
    job.then(
      () => void message.success(`已${what}`),
      (error: unknown) => void message.error(`${what}失败：${describeError(error).reason}`),
    )

  /** Some may have gone on meanwhile: how many, and why not. */
  const tellMany = (what: string, { done, failed }: ManyResult) => {
    if (failed.length === 0) return void message.success(`已${what} ${done.toLocaleString()} 台`)
    modal.warning({
      title: `已${what} ${done.toLocaleString()} 台，${failed.length.toLocaleString()} 台没有成功`,
      content: [...new Set(failed.map(({ msg }) => msg))].slice(0, 5).join('；'),
    })
  }

  return {
    tellMany,
    work,
    orTell,
    pause: (task: OtaTask) => orTell('暂停', work.pause(task.taskID)),
    cancel: (task: OtaTask) => {
      const going = countOf(task.counts, OtaStatus.pushed) + countOf(task.counts, OtaStatus.updating)
      const waiting = countOf(task.counts, OtaStatus.waiting)
      confirm({
        title: `取消升级任务${titleOf(task)}？`,
        content: (
          <>
            还没有开始的 {waiting.toLocaleString()} 台不再推送，已推送和升级中的 {going.toLocaleString()}{' '}
            台记为已取消，已经升级的设备不会退回。{flashNote}
          </>
        ),
        danger: true,
        okText: '确认取消任务',
        onOk: async () => {
          await work.cancel(task.taskID)
          void message.success('任务已取消')
        },
      })
    },
    resume: (task: OtaTask) => {
      if (!isHalted(task)) return void orTell('继续', work.resume(task.taskID))
      confirm({
        title: `强制继续升级任务${titleOf(task)}？`,
        content: (
          <>
            任务因为「{task.haltReason}
            」自动停止。强制继续会把同一个固件推送给剩下的设备，失败率可能仍然很高，请先确认原因。
          </>
        ),
        danger: true,
        okText: '强制继续',
        onOk: async () => {
          await work.resume(task.taskID, true)
          void message.success('任务已继续')
        },
      })
    },
    retryFailed: (task: OtaTask) =>
      confirm({
        title: `重试 ${countOf(task.counts, OtaStatus.failed).toLocaleString()} 台升级失败的设备？`,
        content: '它们回到未开始，按任务的速率重新推送。',
        okText: '重试',
        onOk: async () => tellMany('重试', await work.retryMany({ taskUid: task.taskUid, status: OtaStatus.failed })),
      }),
  }
}

export { flashNote }
