/** screens.md 6.6: the hub log by subject: all, what was said, comings and goings, what was allowed; and the device's own. */
import { t } from '@ithings/contract/text.ts'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import * as z from 'zod'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { useUrlState } from '#kit/url-state.ts'
import { useMemo } from '#language/use-memo.ts'
import type { Exchange } from './exchanges.ts'
import { HubLogList } from './hub-log-list.tsx'
import type { LogScope } from './log-query.ts'
import { SessionLog } from './session-log.tsx'

const labels = { all: '全部', content: '内容', online: '上下线', auth: '授权', local: '本地' }
export type LogKind = keyof typeof labels
const everyKind = Object.keys(labels) as LogKind[]
const cloudKinds: LogKind[] = ['content', 'online', 'auth']

const lists = {
  content: {
    title: '内容日志',
    storageKey: 'cloud-log-content',
    actions: ['property', 'event', 'action'],
    empty: { title: '这段时间没有内容日志', text: '属性、事件和行为的消息会记录在这里。' },
    toolbar: false,
  },
  auth: {
    title: '授权日志',
    storageKey: 'cloud-log-auth',
    actions: ['publish', 'subscribe', 'login'],
    empty: { title: '这段时间没有授权日志', text: '设备登录、订阅以及被拒绝的发布会记录在这里。' },
    columns: authColumns,
    toolbar: false,
  },
  all: {
    title: '云端诊断日志',
    storageKey: 'diagnosis-log',
    groupedAtFirst: true,
    empty: { title: '这段时间没有日志', text: '设备连接、上报和平台下发的每条消息都会记录在这里。' },
  },
}

const state = z.object({ kind: z.enum(everyKind), page: z.string() })

/** Rights are about topics, not about messages. */
const unasked = new Set(['method', 'latency', 'requestID'])
function authColumns(columns: ListColumn<Exchange>[]): ListColumn<Exchange>[] {
  const wanted = columns.filter(({ key }) => !unasked.has(key))
  const at = wanted.findIndex(({ key }) => key === 'content')
  const topics = wanted.filter(({ key }) => key === 'topic')
  const shown = topics.map((column) => ({ ...column, hiddenAtFirst: false, phone: 'meta' as const }))
  return [...wanted.slice(0, at), ...shown, ...wanted.slice(at).filter(({ key }) => key !== 'topic')]
}

function ListOf({ kind, scope }: { kind: keyof typeof lists; scope: LogScope }) {
  const { title, empty, ...list } = lists[kind]
  return <HubLogList {...list} scope={scope} title={t(title)} empty={{ title: t(empty.title), text: t(empty.text) }} />
}

interface CloudLogsProps {
  scope: LogScope
  first?: LogKind
  /** The logs that the one device writes itself: with them every kind is offered. */
  local?: ReactNode
}

export function CloudLogs({ scope, first = 'content', local }: CloudLogsProps) {
  const [{ kind: asked }, set] = useUrlState(
    state,
    useMemo(() => ({ kind: first, page: '' }), [first]),
  )
  const offered = local ? everyKind : cloudKinds
  const kind = offered.includes(asked) ? asked : first
  return (
    <>
      <div className="below-12">
        <Segmented<LogKind>
          aria-label={t('日志类型')}
          value={kind}
          options={offered.map((value) => ({ value, label: t(labels[value]) }))}
          onChange={(value) => set({ kind: value, page: '' }, { replace: true })}
        />
      </div>
      {kind === 'local' ? (
        local
      ) : kind === 'online' ? (
        <SessionLog scope={scope} />
      ) : (
        <ListOf key={kind} scope={scope} kind={kind} />
      )}
    </>
  )
}
