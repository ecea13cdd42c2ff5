/** What the table says about a device of a task. Pure. */

import type { OtaDevice } from '@ithings/contract/features/ota/device.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'

const minute = 60

function spent(seconds: number): string {
  if (seconds < minute) return `${Math.max(0, seconds)} 秒`
  const rest = seconds % minute
  if (seconds < 60 * minute) return `${Math.floor(seconds / minute)} 分${rest ? ` ${rest} 秒` : '钟'}`
  return `${Math.floor(seconds / 3600)} 小时 ${Math.floor((seconds % 3600) / minute)} 分`
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
  if (left > 0) return `观察中 · 还须在线 ${spent(left)}`
  const again = row.attempts > 1 ? ` · 第 ${row.attempts} 次推送` : ''
  if (row.status === OtaStatus.success) {
    const took =
      row.pushedTime > 0 && row.doneTime >= row.pushedTime ? ` · 用时 ${spent(row.doneTime - row.pushedTime)}` : ''
    return `${row.detail || '升级成功'}${took}`
  }
  return `${row.detail || ownWords[row.status] || '—'}${again}`
}
