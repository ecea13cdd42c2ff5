import { ReloadOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Switch, Tooltip } from 'antd'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import './parts.css'
import { clockTime } from './time.ts'

// spec 9: focus-refresh interval 5000 ms.
export const refreshInterval = 5000

const subscribe = (changed: () => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

export const useVisible = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')

/** Milliseconds until the next poll: doubles with each failure in a row, at most a minute. */
export const pollDelay = (failures: number): number => Math.min(refreshInterval * 2 ** failures, 60_000)

export interface AutoRefreshProps {
  /** Reads again; a rejection slows the pace until one succeeds. */
  onRefresh: () => Promise<unknown>
  /** When the data on screen was read, in milliseconds; 0 = never. */
  updatedAt: number
  defaultOn?: boolean
  refreshing?: boolean
}

/** Manual refresh, a 5 s switch that rests while the tab is hidden, and when it was read last. */
export function AutoRefresh({ onRefresh, updatedAt, defaultOn = false, refreshing }: AutoRefreshProps) {
  const [on, setOn] = useState(defaultOn)
  const id = useId()
  const visible = useVisible()
  const read = useRef(onRefresh)
  read.current = onRefresh
  const running = on && visible
  useEffect(() => {
    if (!running) return
    let stopped = false
    let failures = 0
    let timer: ReturnType<typeof setTimeout>
    const next = () => {
      timer = setTimeout(async () => {
        try {
          await read.current()
          failures = 0
        } catch {
          // The query shows its own failure; here it only slows the pace.
          failures += 1
        }
        if (!stopped) next()
      }, pollDelay(failures))
    }
    next()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [running])
  return (
    <span className="auto-refresh inline-row softer gap-8">
      {updatedAt > 0 && <span className="meta">{t('上次更新 {time}', { time: clockTime(updatedAt) })}</span>}
      <label htmlFor={id}>{t('自动刷新')}</label>
      <Switch id={id} size="small" checked={on} onChange={setOn} />
      <Tooltip title={t('手动刷新')}>
        <Button
          type="text"
          aria-label={t('手动刷新')}
          icon={<ReloadOutlined spin={refreshing ?? false} />}
          onClick={() => void read.current().catch(() => undefined)}
        />
      </Tooltip>
    </span>
  )
}
