import { errors } from '@ithings/contract/errors.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { App } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { isHalted } from '../../labels.ts'
import { countOf } from '../../progress.ts'
import { useTaskWork } from '../../task-queries.ts'
import { failuresText, forceText, retriedNote, retryText } from './task-words.ts'
import './tasks.css'

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

  const orTell = (what: string, job: Promise<unknown>, note = '') =>
    job.then(
      () => void message.success(`已${what}${note}`),
      (error: unknown) => void message.error(`${what}失败：${describeError(error).reason}`),
    )

  /** Some may have gone on meanwhile: how many, and why not. */
  const tellMany = (what: string, { done, failed }: ManyResult, note = '') => {
    if (failed.length === 0) return void message.success(`已${what} ${done.toLocaleString()} 台${note}`)
    modal.warning({
      title: `已${what} ${done.toLocaleString()} 台，${failed.length.toLocaleString()} 台没有成功`,
      content: [...new Set(failed.map(({ msg }) => msg))].slice(0, 5).join('；'),
    })
  }

  /** The stage still fails: what failed, and what going on in spite of it switches off. */
  const askForce = (task: OtaTask, reasons: readonly { reason: string; count: number }[], refusal: string) =>
    confirm({
      title: `强制继续升级任务${titleOf(task)}？`,
      content: (
        <div className="force-text">
          <p>平台没有继续任务。{refusal}。</p>
          {reasons.length > 0 && <p>失败原因：{failuresText(reasons)}。</p>}
          <p>{forceText(task)}</p>
        </div>
      ),
      danger: true,
      okText: '强制继续',
      onOk: async () => {
        await work.resume(task.taskID, true)
        void message.success('任务已强制继续')
      },
    })

  /** With its protection first: retried devices may have made the stage good again. Force is offered when refused. */
  const resume = async (task: OtaTask) => {
    try {
      await work.resume(task.taskID)
      void message.success('任务已继续')
    } catch (error) {
      const { code, reason } = describeError(error)
      const now = code === errors.parameter.code ? await work.look(task).catch(() => undefined) : undefined
      // Paused by hand, gone on or over meanwhile: there is nothing to force.
      if (now && isHalted(now.task)) askForce(now.task, now.reasons, reason)
      else void message.error(`继续失败：${reason}`)
    }
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
    resume,
    retryFailed: (task: OtaTask) =>
      confirm({
        title: `重试 ${countOf(task.counts, OtaStatus.failed).toLocaleString()} 台升级失败的设备？`,
        content: retryText(task),
        okText: '重试',
        onOk: async () =>
          tellMany(
            '重试',
            await work.retryMany({ taskUid: task.taskUid, status: OtaStatus.failed }),
            retriedNote(task),
          ),
      }),
  }
}

export { flashNote }
