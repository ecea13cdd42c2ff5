import { DisconnectOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { useSyncExternalStore } from 'react'
import { clockTime } from '#kit/time.ts'
import './states.css'
import { describeError } from './describe-error.ts'

const subscribe = (changed: () => void) => {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)

export interface StaleBannerProps {
  error: unknown
  /** When the data on screen was read, in milliseconds. */
  updatedAt: number
  onRetry: () => void
  retrying?: boolean
}

/** A refresh failed but older data is still there: say from when, keep it, offer another try. */
export function StaleBanner({ error, updatedAt, onRetry, retrying }: StaleBannerProps) {
  const online = useOnline()
  const view = describeError(error)
  const time = clockTime(updatedAt)
  return (
    <div className="stale-banner warning-text row gap-8" role="status">
      <DisconnectOutlined aria-hidden="true" />
      <span className="grow">
        {online
          ? t('刷新失败：{reason}。当前显示 {time} 的数据', { reason: view.reason, time })
          : t('当前处于离线状态，当前显示 {time} 的数据', { time })}
      </span>
      <button type="button" className="plain-button" onClick={onRetry} disabled={retrying}>
        {retrying ? t('重试中…') : t('重试')}
      </button>
    </div>
  )
}
