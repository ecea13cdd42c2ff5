/** screens.md 6.6: the hub log by subject: what was said, comings and goings, what was allowed. */
import { Segmented } from 'antd'
import * as z from 'zod'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { useUrlState } from '#kit/url-state.ts'
import { usePhone } from '#kit/use-phone.ts'
import type { Exchange } from './exchanges.ts'
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

/** Rights are about topics, not about messages. */
const unasked = new Set(['method', 'latency', 'requestID'])
function authColumns(columns: ListColumn<Exchange>[]): ListColumn<Exchange>[] {
  const wanted = columns.filter(({ key }) => !unasked.has(key))
  const at = wanted.findIndex(({ key }) => key === 'content')
  const topics = wanted.filter(({ key }) => key === 'topic')
  const shown = topics.map((column) => ({ ...column, hiddenAtFirst: false, phone: 'meta' as const }))
  return [...wanted.slice(0, at), ...shown, ...wanted.slice(at).filter(({ key }) => key !== 'topic')]
}

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
          {...(kind === 'auth' && { columns: authColumns })}
          toolbar={toolbar}
        />
      )}
    </>
  )
}
