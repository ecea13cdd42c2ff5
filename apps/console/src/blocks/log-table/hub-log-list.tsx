/** THE list of the hub log: tabs of a device and the log service show it with their own scope and categories. */

import { type HubLogRow, listHubLog } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import * as z from 'zod'
import type { EmptyText, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useUrlState } from '#kit/url-state.ts'
import { useMemo } from '#language/use-memo.ts'
import type { Exchange } from './exchanges.ts'
import { hubLogColumns } from './hub-log-columns.tsx'
import { HubLogDetail } from './hub-log-detail.tsx'
import { hubLogFields } from './hub-log-filters.ts'
import { LiveTail } from './live-tail.tsx'
import { type HubLogFilters, hubLogQuery, type LogScope } from './log-query.ts'
import './log-table.css'
import { useLogDrawers } from './use-log-drawers.tsx'

const groupState = z.object({ group: z.enum(['0', '1']) })
const lines = { group: '0' as const }
const requests = { group: '1' as const }

interface HubLogListProps {
  title: string
  scope: LogScope
  storageKey: string
  /** Only these categories. */
  actions?: readonly string[]
  /** Replies beside their requests unless somebody chooses lines. */
  groupedAtFirst?: boolean
  columns?: (columns: ListColumn<Exchange>[]) => ListColumn<Exchange>[]
  empty: EmptyText
  toolbar?: ReactNode
  toolbarExtra?: ReactNode
}

const rowKey = (row: Exchange) => row.tranceID

export function HubLogList(props: HubLogListProps) {
  const { title, scope, storageKey, actions, groupedAtFirst = false, columns, empty, toolbar, toolbarExtra } = props
  const [{ group }, setGroup] = useUrlState(groupState, groupedAtFirst ? requests : lines)
  const { showTrace, showContext, drawers } = useLogDrawers()
  const grouped = group === '1'
  const fields = useMemo(() => hubLogFields(actions), [actions])
  const device = scope.deviceNames?.length !== 1
  const shown = hubLogColumns({ device, grouped, now: Date.now() })
  return (
    <>
      <ListPage<Exchange, HubLogFilters>
        key={String(grouped)}
        embedded
        title={title}
        storageKey={`${storageKey}${grouped ? '-requests' : ''}`}
        rowKey={rowKey}
        columns={columns ? columns(shown) : shown}
        filters={fields}
        query={({ page, filters }) => hubLogQuery({ scope, filters, page, actions, grouped })}
        expandable={{
          expandedRowRender: (row: Exchange) => (
            <HubLogDetail exchange={row} onTrace={showTrace} onContext={showContext} />
          ),
        }}
        rowActions={(row: HubLogRow) => [
          { key: 'trace', label: t('跟踪'), onClick: () => showTrace(row) },
          { key: 'context', label: t('前后'), onClick: () => showContext(row) },
        ]}
        exportName={title}
        empty={empty}
        toolbar={
          toolbar ?? (
            <Segmented<'0' | '1'>
              aria-label={t('显示方式')}
              value={group}
              options={[
                { value: '0', label: t('逐条') },
                { value: '1', label: t('按请求') },
              ]}
              onChange={(value) => setGroup({ group: value }, { replace: true })}
            />
          )
        }
        toolbarExtra={
          <LiveTail path={listHubLog.path} scope={scope}>
            {toolbarExtra}
          </LiveTail>
        }
      />
      {drawers}
    </>
  )
}
