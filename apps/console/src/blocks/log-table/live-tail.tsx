import { deviceTopic } from '@ithings/contract/features/live.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Switch } from 'antd'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { safetyPace, useLive, useLiveConnected } from '#api/live.ts'
import { pollDelay, useVisible } from '#kit/auto-refresh.tsx'
import type { LogScope } from './log-query.ts'
import './log-table.css'

interface LiveTailProps {
  /** Of the endpoint whose lists are read again. */
  path: string
  scope: LogScope
  /** Further tools before it. */
  children?: ReactNode
}

/** Notices are by device: a whole product is asked again by the clock. */
const topicOf = ({ productID, deviceNames }: LogScope): string | undefined => {
  const [deviceName, ...others] = deviceNames ?? []
  return productID && deviceName && others.length === 0 ? deviceTopic({ productID, deviceName }) : undefined
}

/** New lines come by themselves while it is on; it rests while nobody looks. */
export function LiveTail({ path, scope, children }: LiveTailProps) {
  const id = useId()
  const client = useQueryClient()
  const [on, setOn] = useState(false)
  const running = useVisible() && on
  const topic = topicOf(scope)
  useLive(running ? topic : undefined, { log: [[path]] })
  const noticed = useLiveConnected() && topic !== undefined
  useEffect(() => {
    if (!running) return
    let failures = 0
    let timer: ReturnType<typeof setTimeout>
    const plan = () => {
      timer = setTimeout(
        async () => {
          try {
            await client.refetchQueries({ queryKey: [path], type: 'active' }, { throwOnError: true })
            failures = 0
          } catch {
            // The list shows its own failure; here it only slows the pace.
            failures += 1
          }
          if (!stopped) plan()
        },
        noticed ? safetyPace : pollDelay(failures),
      )
    }
    let stopped = false
    plan()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [running, noticed, client, path])
  return (
    <span className="gap-4-12 inline-row wrap" style={{ marginInlineEnd: 8 }}>
      {children}
      <span className={`inline-row softer gap-8 ${running ? 'log-live-on' : ''}`}>
        <span className="log-live-dot circle" aria-hidden="true" />
        <label htmlFor={id}>{t('实时')}</label>
        <Switch id={id} size="small" checked={on} onChange={setOn} />
      </span>
    </span>
  )
}
