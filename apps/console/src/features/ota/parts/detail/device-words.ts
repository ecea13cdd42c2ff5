/** What the table says about a device of a task. Pure. */

import type { OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { t } from '@ithings/contract/text.ts'

const minute = 60

function spent(seconds: number): string {
  if (seconds < minute) return t('{value} 秒', { value: Math.max(0, seconds) })
  const rest = seconds % minute
  if (seconds < 60 * minute)
    return t('{seconds} 分{more}', {
      seconds: Math.floor(seconds / minute),
      more: rest ? t(' {rest} 秒', { rest }) : t('钟'),
    })
  return t('{seconds} 小时 {seconds2} 分', {
    seconds: Math.floor(seconds / 3600),
    seconds2: Math.floor((seconds % 3600) / minute),
  })
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
  if (left > 0) return t('观察中 · 还须在线 {spent}', { spent: spent(left) })
  const again = row.attempts > 1 ? t(' · 第 {attempts} 次推送', { attempts: row.attempts }) : ''
  if (row.status === OtaStatus.success) {
    const took =
      row.pushedTime > 0 && row.doneTime >= row.pushedTime
        ? t(' · 用时 {spent}', { spent: spent(row.doneTime - row.pushedTime) })
        : ''
    return `${row.detail || t('升级成功')}${took}`
  }
  return `${row.detail || ownWords[row.status] || '—'}${again}`
}
