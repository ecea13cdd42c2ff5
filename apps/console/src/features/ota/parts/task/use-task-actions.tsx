import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import { type cancelOtaDevices, retryOtaDevices } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { cancelOtaTask, type OtaTask, pauseOtaTask, resumeOtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { isHalted } from '../../labels.ts'
import { countOf } from '../../progress.ts'
import { analysisQuery, taskQuery, useTaskSend } from '../../task-queries.ts'
import { cancelTaskText, failuresText, forceText, retriedNote, retryText } from './task-words.ts'

const nameOf = ({ firmwareName, version }: OtaTask) => `${firmwareName} ${version}`

const doneTexts = {
  retry: '已重试 {count, number} 台',
  cancel: '已取消 {count, number} 台',
  skip: '已跳过 {count, number} 台',
} as const

/** Retries or cancels devices; some may have gone on meanwhile, so it says how many it reached and why not the others. */
export function useManyDevices() {
  const { message, modal } = App.useApp()
  const send = useTaskSend()
  return async (
    what: keyof typeof doneTexts,
    endpoint: typeof retryOtaDevices | typeof cancelOtaDevices,
    body: BodyInput<typeof cancelOtaDevices>,
    note = '',
  ) => {
    const { done, failed } = await send(endpoint, body)
    const told = t(doneTexts[what], { count: done })
    if (failed.length === 0) return void message.success(`${told}${note}`)
    modal.warning({
      title: t('{told}，{count, number} 台没有成功', { told, count: failed.length }),
      content: [...new Set(failed.map(({ msg }) => msg))].slice(0, 5).join(t('；')),
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
      void message.success(t('任务已继续'))
    } catch (error) {
      const { code, reason } = describeError(error)
      const now = code === errors.parameter.code ? await look(task).catch(() => undefined) : undefined
      // Paused by hand, gone on or over meanwhile: there is nothing to force.
      if (!now || !isHalted(now.task)) return void message.error(t('继续失败：{reason}', { reason }))
      ask({
        title: t('强制继续升级任务「{name}」？', { name: nameOf(task) }),
        content: (
          <div className="column gap-8">
            <p className="bare">{t('平台没有继续任务。{reason}。', { reason })}</p>
            {now.reasons.length > 0 && (
              <p className="bare">{t('失败原因：{reasons}。', { reasons: failuresText(now.reasons) })}</p>
            )}
            <p className="bare">{forceText(now.task)}</p>
          </div>
        ),
        danger: true,
        okText: t('强制继续'),
        work: () => send(resumeOtaTask, { taskID, force: true }),
        done: t('任务已强制继续'),
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
    pause: ({ taskID }: OtaTask) => orTell(t('暂停'), send(pauseOtaTask, { taskID }), t('已暂停')),
    cancel: (task: OtaTask) =>
      ask({
        title: t('取消升级任务「{name}」？', { name: nameOf(task) }),
        content: cancelTaskText(task),
        danger: true,
        okText: t('确认取消任务'),
        work: () => send(cancelOtaTask, { taskID: task.taskID }),
        done: t('任务已取消'),
      }),
    retryFailed: (task: OtaTask) =>
      ask({
        title: t('重试 {count, number} 台升级失败的设备？', { count: countOf(task.counts, OtaStatus.failed) }),
        content: retryText(task),
        okText: t('重试'),
        work: () =>
          many('retry', retryOtaDevices, { taskUid: task.taskUid, status: OtaStatus.failed }, retriedNote(task)),
      }),
  }
}
