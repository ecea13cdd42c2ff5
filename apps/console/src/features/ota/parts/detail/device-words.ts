/** What the table says about a device of a task. Pure. */

import type { OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { t } from '@ithings/contract/text.ts'

const minute = 60

function spent(seconds: number): string {
  if (seconds < minute) return t('{seconds} 秒', { seconds: Math.max(0, seconds) })
  const rest = seconds % minute
  const minutes = Math.floor(seconds / minute)
  if (minutes < 60) {
    return rest ? t('{minutes} 分 {seconds} 秒', { minutes, seconds: rest }) : t('{minutes} 分钟', { minutes })
  }
  return t('{hours} 小时 {minutes} 分', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

const ownWords: Readonly<Record<number, string>> = {
  [OtaStatus.waiting]: '等待推送',
  [OtaStatus.pushed]: '等待设备确认',
  [OtaStatus.updating]: '设备正在升级',
  [OtaStatus.failed]: '设备没有说明原因',
  [OtaStatus.higher]: '设备的版本更高',
  [OtaStatus.cancelled]: '已取消',
}

type Told = Pick<OtaDevice, 'status' | 'detail' | 'attempts' | 'pushedTime' | 'doneTime' | 'probationUntil'>

/** @param now milliseconds */
export function detailText(row: Told, now: number): string {
  const left = row.probationUntil - Math.floor(now / 1000)
  if (left > 0) return t('观察中 · 还须在线 {time}', { time: spent(left) })
  const again = row.attempts > 1 ? t(' · 第 {attempts} 次推送', { attempts: row.attempts }) : ''
  if (row.status === OtaStatus.success) {
    const took =
      row.pushedTime > 0 && row.doneTime >= row.pushedTime
        ? t(' · 用时 {time}', { time: spent(row.doneTime - row.pushedTime) })
        : ''
    return `${row.detail || t('升级成功')}${took}`
  }
  return `${row.detail || t(ownWords[row.status] ?? '—')}${again}`
}
