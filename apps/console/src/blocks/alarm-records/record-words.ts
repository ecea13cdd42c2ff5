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

/** Two units at most: 13 分 36 秒, 1 小时 12 分, 3 天 4 小时. */
export function durationText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / second)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  const rest = { seconds: seconds % 60, minutes: minutes % 60, hours: hours % 24 }
  if (minutes === 0) return t('{count} 秒', { count: seconds })
  if (hours === 0) return rest.seconds > 0 ? t('{minutes} 分 {seconds} 秒', rest) : t('{count} 分', { count: minutes })
  if (days === 0) return rest.minutes > 0 ? t('{hours} 小时 {minutes} 分', rest) : t('{count} 小时', { count: hours })
  return rest.hours > 0 ? t('{days} 天 {hours} 小时', { ...rest, days }) : t('{count} 天', { count: days })
}

export const isOpenRecord = ({ dealState }: Pick<AlarmRecord, 'dealState'>): boolean => dealState === DealState.alarming

/** From its first occurrence to now, or to the moment it was handled. */
export function lastedMs(record: Pick<AlarmRecord, 'dealState' | 'firstAlarm' | 'dealTime'>, now: number): number {
  const end = isOpenRecord(record) ? now : record.dealTime
  return Math.max(0, end - record.firstAlarm)
}

const isClaimed = ({ claimUserID }: Pick<AlarmRecord, 'claimUserID'>): boolean =>
  claimUserID !== '' && claimUserID !== '0'

/** As the server says what it wrote itself. */
const said = (result: string): string => t(result, { context: 'state' })

/** Claimed ones are being worked on; handled ones say how: by a person, ignored, or cleared by a scene. */
export function recordLook(record: Pick<AlarmRecord, 'dealState' | 'claimUserID' | 'dealResult'>): StatusLook {
  switch (record.dealState) {
    case DealState.alarming:
      return isClaimed(record)
        ? { text: t('处理中'), tone: 'processing' }
        : { text: dealStateLabels[DealState.alarming], tone: 'error' }
    case DealState.handled:
      if (record.dealResult === said(dealResults.ignored)) return { text: t('已忽略'), tone: 'default' }
      if (record.dealResult === said(dealResults.relieved)) return { text: t('已解除'), tone: 'success' }
      return { text: dealStateLabels[DealState.handled], tone: 'success' }
    case DealState.none:
      return { text: dealStateLabels[DealState.none], tone: 'default' }
    default:
      return { text: t('未知（{value}）', { value: record.dealState }), tone: 'default' }
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
  if (left <= 0) return { text: t('超时 {duration}', { duration: durationText(-left) }), tone: 'over' }
  return { text: t('剩 {duration}', { duration: durationText(left) }), tone: left < soon ? 'soon' : 'ok' }
}
