/** What is said before a task goes on or tries devices again. Pure. */

import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { figure } from '#blocks/rollout/words.ts'
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
    '还没有开始的 {waiting, number} 台不再推送，已推送和升级中的 {going, number} 台记为已取消，已经升级的设备不会退回。{flashNote}',
    { waiting, going, flashNote },
  )
}

/** Devices of a task that stands still are not pushed before it goes on. */
export function retryText(task: Held): string {
  if (!isHeld(task)) return t('它们回到未开始，按任务的速率重新推送。')
  const why = isHalted(task) ? t('任务已自动停止') : t('任务已暂停')
  return t('它们回到未开始。{why}，继续任务之后才重新推送。', { why })
}

/** Behind 已重试 n 台. */
export const retriedNote = (task: Held): string => (isHeld(task) ? t('，继续任务后推送') : '')

const mostReasons = 3

/** 写入失败 3 台、超时 1 台. @param reasons most frequent first */
export function failuresText(reasons: readonly { reason: string; count: number }[]): string {
  const named = reasons
    .slice(0, mostReasons)
    .map(({ reason, count }) => t('{reason} {count, number} 台', { reason, count }))
  return `${named.join(t('、'))}${reasons.length > mostReasons ? t(' 等') : ''}`
}

/** What force switches off: the stage at work no longer halts; the ones after it do. */
export function forceText({ stage, stages, counts }: Pick<OtaTask, 'stage' | 'stages' | 'counts'>): string {
  const rest = figure(countOf(counts, OtaStatus.waiting))
  const off = t('强制继续会关闭阶段 {stageNo} 的自动停止：这个阶段失败再多也不会停下', {
    stageNo: stageNo(stages, stage),
  })
  return shownStages(stages.slice(stage + 1)).length > 0
    ? t(
        '{off}，结束后不论成功多少都进入下一阶段，还没有推送的 {rest} 台会陆续收到同一个固件。之后的阶段仍按各自的阈值自动停止。',
        { off, rest },
      )
    : t('{off}，还没有推送的 {rest} 台都会收到同一个固件。', { off, rest })
}
