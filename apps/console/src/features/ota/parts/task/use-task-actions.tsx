import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import { type cancelOtaDevices, retryOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { cancelOtaTask, type OtaTask, pauseOtaTask, resumeOtaTask } from '@ithings/contract/features/ota/task.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { figure } from '#blocks/rollout/words.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { isHalted } from '../../labels.ts'
import { countOf } from '../../progress.ts'
import { analysisQuery, taskQuery, useTaskSend } from '../../task-queries.ts'
import { cancelTaskText, failuresText, forceText, retriedNote, retryText } from './task-words.ts'

const titleOf = ({ firmwareName, version }: OtaTask) => `「${firmwareName} ${version}」`

/** Retries or cancels devices; some may have gone on meanwhile, so it says how many it reached and why not the others. */
export function useManyDevices() {
  const { message, modal } = App.useApp()
  const send = useTaskSend()
  return async (
    what: string,
    endpoint: typeof retryOtaDevices | typeof cancelOtaDevices,
    body: BodyInput<typeof cancelOtaDevices>,
    note = '',
  ) => {
    const { done, failed } = await send(endpoint, body)
    const told = `已${what} ${figure(done)} 台`
    if (failed.length === 0) return void message.success(`${told}${note}`)
    modal.warning({
      title: `${told}，${figure(failed.length)} 台没有成功`,
      content: [...new Set(failed.map(({ msg }) => msg))].slice(0, 5).join('；'),
    })
  }
}

/** Goes on with its protection first: retried devices may have made the stage good again. Force is offered when refused. */
function useResume() {
  const { message } = App.useApp()
  const { ask } = useActs()
  const client = useQueryClient()
  const send = useTaskSend()
  /** How it stands this moment, and why devices failed. */
  const look = async ({ taskID, taskUid }: OtaTask) => {
    const [task, { reasons }] = await Promise.all([
      client.fetchQuery({ ...taskQuery(taskID), staleTime: 0 }),
      client.fetchQuery({ ...analysisQuery(taskUid), staleTime: 0 }),
    ])
    return { task, reasons }
  }
  return async (task: OtaTask) => {
    const { taskID } = task
    try {
      await send(resumeOtaTask, { taskID })
      void message.success('任务已继续')
    } catch (error) {
      const { code, reason } = describeError(error)
      const now = code === errors.parameter.code ? await look(task).catch(() => undefined) : undefined
      // Paused by hand, gone on or over meanwhile: there is nothing to force.
      if (!now || !isHalted(now.task)) return void message.error(`继续失败：${reason}`)
      ask({
        title: `强制继续升级任务${titleOf(task)}？`,
        content: (
          <div className="column gap-8">
            <p className="bare">平台没有继续任务。{reason}。</p>
            {now.reasons.length > 0 && <p className="bare">失败原因：{failuresText(now.reasons)}。</p>}
            <p className="bare">{forceText(now.task)}</p>
          </div>
        ),
        danger: true,
        okText: '强制继续',
        work: () => send(resumeOtaTask, { taskID, force: true }),
        done: '任务已强制继续',
      })
    }
  }
}

/** What a person does to a task as a whole, each with its question. */
export function useTaskActions() {
  const { ask, orTell } = useActs()
  const send = useTaskSend()
  const many = useManyDevices()
  return {
    resume: useResume(),
    pause: ({ taskID }: OtaTask) => orTell('暂停', send(pauseOtaTask, { taskID }), '已暂停'),
    cancel: (task: OtaTask) =>
      ask({
        title: `取消升级任务${titleOf(task)}？`,
        content: cancelTaskText(task),
        danger: true,
        okText: '确认取消任务',
        work: () => send(cancelOtaTask, { taskID: task.taskID }),
        done: '任务已取消',
      }),
    retryFailed: (task: OtaTask) =>
      ask({
        title: `重试 ${figure(countOf(task.counts, OtaStatus.failed))} 台升级失败的设备？`,
        content: retryText(task),
        okText: '重试',
        work: () =>
          many('重试', retryOtaDevices, { taskUid: task.taskUid, status: OtaStatus.failed }, retriedNote(task)),
      }),
  }
}
