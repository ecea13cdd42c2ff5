/** What happened around an alarm, in the order of time: the message, the rule, what was done (screens.md 25). Pure. */

import type { AlarmCause, AlarmLog } from '@ithings/contract/features/alarms/record.ts'
import { type HubLogRow, hubActionLabels } from '@ithings/contract/features/history.ts'
import type { LoggedAction, SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { t } from '@ithings/contract/text.ts'
import { labelOf } from '#kit/status-tag.tsx'

export interface Moment {
  key: string
  time: number
  kind: string
  text: string
  /** Milliseconds; undefined: it took no time worth telling. */
  took: number | undefined
  tone: 'plain' | 'ok' | 'error' | 'alarm'
}

const kinds: Record<string, string> = { device: '下行', alarm: '告警', notify: '通知', delay: '延时', scene: '场景' }

function received(entry: HubLogRow, cause: AlarmCause | undefined): Moment {
  const what = labelOf(hubActionLabels, entry.action)
  const seen = cause?.dataID && cause.value ? `${cause.dataID} = ${cause.value}` : entry.method
  const time = Number(entry.timestamp)
  return {
    key: 'up',
    time,
    kind: t('上行'),
    text: t('{what}上报 {seen}', { what, seen }).trim(),
    took: undefined,
    tone: 'plain',
  }
}

function judged(run: SceneLog): Moment {
  // Members of a group count as one.
  const held = run.conditions.filter(({ ok, level }) => ok && level === 0).length
  const text =
    held > 0 ? t('{trigger}，{count} 个条件满足', { trigger: run.triggerText, count: held }) : run.triggerText
  return { key: 'rule', time: run.startTime, kind: t('规则'), text, took: run.latency, tone: 'plain' }
}

function done(action: LoggedAction, index: number): Moment {
  const ended = action.endTime > 0
  return {
    key: `action ${index}`,
    time: ended ? action.endTime : action.startTime,
    kind: t(kinds[action.executor] ?? action.executor),
    text: action.ok || !action.msg ? action.text : t('{text}：{msg}', { text: action.text, msg: action.msg }),
    took: ended ? action.endTime - action.startTime : undefined,
    tone: action.executor === 'alarm' ? 'alarm' : !ended ? 'plain' : action.ok ? 'ok' : 'error',
  }
}

export interface MomentSources {
  entry: HubLogRow | undefined
  run: SceneLog | undefined
  log: AlarmLog | undefined
  cause: AlarmCause | undefined
}

export function momentsOf({ entry, run, log, cause }: MomentSources): Moment[] {
  const list: Moment[] = []
  if (entry) list.push(received(entry, cause))
  if (run) list.push(judged(run), ...run.actions.map(done))
  // The run may be forgotten or not be ours: the occurrence itself is always known.
  if (log && !list.some(({ tone }) => tone === 'alarm')) {
    const text = cause?.trigger || log.desc || log.sceneName
    list.push({ key: 'alarm', time: log.createdTime, kind: t('告警'), text, took: undefined, tone: 'alarm' })
  }
  return list.toSorted((one, other) => one.time - other.time)
}
