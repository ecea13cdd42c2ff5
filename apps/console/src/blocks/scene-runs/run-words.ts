/** How a run of a scene is told: what became of it, why it did not fire, how long its steps took. Pure. */

import { hourMs, minuteMs } from '@ithings/contract/durations.ts'
import { RunResult, runResultLabels } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction, SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { labelOf, lookOf, type StatusLook, type StatusLooks } from '#kit/status-tag.tsx'

const looks: StatusLooks = {
  [RunResult.running]: { text: runResultLabels[1], tone: 'processing' },
  [RunResult.waiting]: { text: runResultLabels[2], tone: 'processing' },
  [RunResult.success]: { text: runResultLabels[3], tone: 'success' },
  [RunResult.partly]: { text: runResultLabels[4], tone: 'warning' },
  [RunResult.failed]: { text: runResultLabels[5], tone: 'error' },
  [RunResult.missed]: { text: runResultLabels[6], tone: 'default' },
}

export const resultLook = (result: number): StatusLook => lookOf(looks, result)

export const isUnfinished = (result: number): boolean => result === RunResult.running || result === RunResult.waiting

/** Chinese joins Chinese; figures and Latin letters keep a distance. */
const spaced = (text: string) => (/^[!-~]/.test(text) ? ` ${text}` : text)

/** "4 个动作成功", "2 成功，1 失败", "未触发，因为……". */
export function runSummary({ result, reason, actions }: Pick<SceneLog, 'result' | 'reason' | 'actions'>): string {
  if (result === RunResult.missed) return reason ? t('未触发，因为{reason}', { reason: spaced(reason) }) : t('未触发')
  const ended = actions.filter(({ code }) => code !== 0)
  const failed = ended.filter(({ ok }) => !ok).length
  const good = ended.length - failed
  const steps =
    failed > 0
      ? t('{succeeded} 成功，{failed} 失败', { succeeded: good, failed })
      : good > 0
        ? t('{count} 个动作成功', { count: good })
        : isUnfinished(result)
          ? ''
          : t('没有动作')
  const parts = isUnfinished(result) ? [steps, t(resultLook(result).text)] : [steps, reason]
  return parts.filter(Boolean).join(t('，'))
}

/** Who or what started it. */
export function startedBy({ triggerType, deviceName, userName }: SceneLog): string {
  return deviceName || userName || labelOf(triggerTypeLabels, triggerType)
}

const second = 1000

/** "38 ms", "1.2 秒", "10 分钟 5 秒". */
export function tookText(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < minuteMs) return t('{count} 秒', { count: Number((ms / second).toFixed(1)) })
  const minutes = Math.floor(ms / minuteMs)
  if (ms < hourMs) {
    const seconds = Math.floor((ms % minuteMs) / second)
    return seconds > 0 ? t('{minutes} 分钟 {seconds} 秒', { minutes, seconds }) : t('{count} 分钟', { count: minutes })
  }
  const hours = Math.floor(ms / hourMs)
  const rest = minutes % 60
  return rest > 0 ? t('{hours} 小时 {minutes} 分钟', { hours, minutes: rest }) : t('{count} 小时', { count: hours })
}

/** How the devices of one action did; '' when it was about one at most. */
export function devicesText({ devices }: Pick<LoggedAction, 'devices'>): string {
  if (devices.length < 2) return ''
  const failed = devices.filter(({ code }) => code !== okCode && code !== 0).length
  const total = t('{count, number} 台设备', { count: devices.length })
  return failed > 0 ? t('{devices}，{count, number} 台失败', { devices: total, count: failed }) : total
}

export const okCode = 200
