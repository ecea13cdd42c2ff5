/** screens.md 6.6: the hub log by subject: what was said, comings and goings, what was allowed. */
import { Segmented } from 'antd'
import * as z from 'zod'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import { HubLogList } from './hub-log-list.tsx'
import type { LogScope } from './log-query.ts'
import { SessionLog } from './session-log.tsx'

const kinds = {
  content: {
    label: '内容日志',
    actions: ['property', 'event', 'action'],
    empty: { title: '这段时间没有内容日志', text: '属性、事件和行为的消息会记录在这里。' },
  },
  online: { label: '上下线日志' },
  auth: {
    label: '授权日志',
    actions: ['publish', 'subscribe', 'login'],
    empty: { title: '这段时间没有授权日志', text: '设备登录、订阅以及被拒绝的发布会记录在这里。' },
  },
} as const
type Kind = keyof typeof kinds

const state = z.object({ kind: z.enum(['content', 'online', 'auth']) })
const first = { kind: 'content' as const }

const options = Object.entries(kinds).map(([value, { label }]) => ({ value: value as Kind, label }))

export function CloudLogs({ scope }: { scope: LogScope }) {
  const phone = usePhone()
  const [{ kind }, set] = useUrlState(state, first)
  const choice = (
    <Segmented<Kind>
      aria-label="日志类型"
      value={kind}
      options={options}
      onChange={(value) => set({ kind: value }, { replace: true })}
    />
  )
  // The toolbar of a phone has no room for it.
  const toolbar = !phone && choice
  return (
    <>
      {phone && <div className="log-kinds">{choice}</div>}
      {kind === 'online' ? (
        <SessionLog scope={scope} toolbar={toolbar} />
      ) : (
        <HubLogList
          key={kind}
          title={kinds[kind].label}
          scope={scope}
          storageKey={`cloud-log-${kind}`}
          actions={kinds[kind].actions}
          empty={kinds[kind].empty}
          toolbar={toolbar}
        />
      )}
    </>
  )
}
