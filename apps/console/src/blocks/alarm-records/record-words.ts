/** An alarm record in words: where it stands, how long it lasts, how much time is left (rules.md 5). Pure. */

import {
  type AlarmRecord,
  AlarmTrigger,
  DealState,
  dealResults,
  dealStateLabels,
} from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import type { StatusLook } from '#kit/status-tag.tsx'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Two units at most: 13 分 36 秒, 1 小时 12 分, 3 天 4 小时. */
export function durationText(ms: number): string {
  const left = Math.max(0, ms)
  const two = (big: number, bigWord: string, small: number, smallWord: string): string => {
    const rest = Math.floor((left % big) / small)
    const head = `${Math.floor(left / big)} ${bigWord}`
    return rest > 0 ? `${head} ${rest} ${smallWord}` : head
  }
  if (left < minute) return t('{left} 秒', { left: Math.floor(left / second) })
  if (left < hour) return two(minute, t('分'), second, t('秒'))
  if (left < day) return two(hour, t('小时'), minute, t('分'))
  return two(day, t('天'), hour, t('小时'))
}

export const isOpenRecord = ({ dealState }: Pick<AlarmRecord, 'dealState'>): boolean => dealState === DealState.alarming

/** From its first occurrence to now, or to the moment it was handled. */
export function lastedMs(record: Pick<AlarmRecord, 'dealState' | 'firstAlarm' | 'dealTime'>, now: number): number {
  const end = isOpenRecord(record) ? now : record.dealTime
  return Math.max(0, end - record.firstAlarm)
}

const isClaimed = ({ claimUserID }: Pick<AlarmRecord, 'claimUserID'>): boolean =>
  claimUserID !== '' && claimUserID !== '0'

/** Claimed ones are being worked on; handled ones say how: by a person, ignored, or cleared by a scene. */
export function recordLook(record: Pick<AlarmRecord, 'dealState' | 'claimUserID' | 'dealResult'>): StatusLook {
  switch (record.dealState) {
    case DealState.alarming:
      return isClaimed(record)
        ? { text: t('处理中'), tone: 'processing' }
        : { text: dealStateLabels[DealState.alarming], tone: 'error' }
    case DealState.handled:
      if (record.dealResult === dealResults.ignored) return { text: t('已忽略'), tone: 'default' }
      if (record.dealResult === dealResults.relieved) return { text: t('已解除'), tone: 'success' }
      return { text: dealStateLabels[DealState.handled], tone: 'success' }
    case DealState.none:
      return { text: dealStateLabels[DealState.none], tone: 'default' }
    default:
      return { text: t('未知（{dealState}）', { dealState: record.dealState }), tone: 'default' }
  }
}

/** Who works or worked on it. */
export function handlerName(record: AlarmRecord): string {
  if (isOpenRecord(record)) return record.claimUserName
  if (record.dealTime <= 0) return ''
  return record.dealUserName || t('系统')
}

/** Timer and manual scenes raise alarms without a device. */
export const sourceName = (
  record: Pick<AlarmRecord, 'triggerType' | 'deviceName' | 'deviceAlias' | 'sceneName'>,
): string =>
  record.triggerType === AlarmTrigger.device && record.deviceName !== ''
    ? record.deviceAlias || record.deviceName
    : t('场景 {sceneName}', { sceneName: record.sceneName || '—' })

export const hasDevice = ({ productID, deviceName }: Pick<AlarmRecord, 'productID' | 'deviceName'>): boolean =>
  productID !== '' && deviceName !== ''

export interface TimeLeft {
  text: string
  tone: 'ok' | 'soon' | 'over'
}

/** Under a quarter of an hour left is soon. */
const soon = 15 * minute

/** undefined: nobody set a limit, or it is over with. */
export function timeLeft(record: Pick<AlarmRecord, 'dealState' | 'dueTime'>, now: number): TimeLeft | undefined {
  if (record.dueTime <= 0 || !isOpenRecord(record)) return undefined
  const left = record.dueTime - now
  if (left <= 0) return { text: t('超时 {durationText}', { durationText: durationText(-left) }), tone: 'over' }
  return { text: t('剩 {durationText}', { durationText: durationText(left) }), tone: left < soon ? 'soon' : 'ok' }
}
