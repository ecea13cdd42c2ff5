/** What is said before a task goes on or tries devices again. Pure. */

import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { isHalted, isTaskOpen } from '../../labels.ts'
import { countOf, shownStages, stageNo } from '../../progress.ts'

type Held = Pick<OtaTask, 'status' | 'paused' | 'haltReason'>

const isHeld = (task: Held): boolean => isTaskOpen(task) && task.paused === 1

/** screens.md 22: the text of cancelling must say it. */
export const flashNote = '正在写入固件的设备无法中断，仍可能升级完成。'

export function cancelTaskText({ counts }: Pick<OtaTask, 'counts'>): string {
  const going = countOf(counts, OtaStatus.pushed) + countOf(counts, OtaStatus.updating)
  const waiting = countOf(counts, OtaStatus.waiting)
  return t(
    '还没有开始的 {waiting, number} 台不再推送，已推送和升级中的 {going, number} 台记为已取消，已经升级的设备不会退回。{note}',
    { waiting, going, note: t(flashNote) },
  )
}

/** Devices of a task that stands still are not pushed before it goes on. */
export function retryText(task: Held): string {
  if (!isHeld(task)) return t('它们回到未开始，按任务的速率重新推送。')
  return isHalted(task)
    ? t('它们回到未开始。任务已自动停止，继续任务之后才重新推送。')
    : t('它们回到未开始。任务已暂停，继续任务之后才重新推送。')
}

/** Behind 已重试 n 台. */
export const retriedNote = (task: Held): string => (isHeld(task) ? t('，继续任务后推送') : '')

const mostReasons = 3

/** 写入失败 3 台、超时 1 台. @param reasons most frequent first */
export function failuresText(reasons: readonly { reason: string; count: number }[]): string {
  const names = reasons
    .slice(0, mostReasons)
    .map(({ reason, count }) => t('{reason} {count, number} 台', { reason, count }))
    .join(t('、'))
  return reasons.length > mostReasons ? t('{names} 等', { names }) : names
}

/** What force switches off: the stage at work no longer halts; the ones after it do. */
export function forceText({ stage, stages, counts }: Pick<OtaTask, 'stage' | 'stages' | 'counts'>): string {
  const values = { count: countOf(counts, OtaStatus.waiting), stageNo: stageNo(stages, stage) }
  return shownStages(stages.slice(stage + 1)).length > 0
    ? t(
        '强制继续会关闭阶段 {stageNo} 的自动停止：这个阶段失败再多也不会停下，结束后不论成功多少都进入下一阶段，还没有推送的 {count, number} 台会陆续收到同一个固件。之后的阶段仍按各自的阈值自动停止。',
        values,
      )
    : t(
        '强制继续会关闭阶段 {stageNo} 的自动停止：这个阶段失败再多也不会停下，还没有推送的 {count, number} 台都会收到同一个固件。',
        values,
      )
}
