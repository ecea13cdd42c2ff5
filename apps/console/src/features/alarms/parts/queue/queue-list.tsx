import {
  type AlarmRecord,
  claimRecords,
  createDealRecord,
  dealRecords,
  ignoreRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { Pagination } from 'antd'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { alarmLogPath } from '#blocks/alarm-records/alarm-paths.ts'
import { hasDevice, isOpenRecord } from '#blocks/alarm-records/record-words.ts'
import { deviceDetailPath } from '#blocks/device-link.tsx'
import { initialTexts } from '#kit/list-page/filter-values.ts'
import { ListBody } from '#kit/list-page/list-body.tsx'
import type { RowAction } from '#kit/list-page/list-contract.ts'
import { ListSkeleton } from '#kit/list-page/list-skeleton.tsx'
import { RowCards } from '#kit/list-page/row-cards.tsx'
import { pageSizes, usePreferences } from '#kit/preferences.tsx'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useAlarmWork } from '../../queries.ts'
import { queueFields, tabOf } from '../../queue-filter.ts'
import { queueColumns } from './queue-columns.tsx'
import { QueueTable } from './queue-table.tsx'
import { useBulk } from './use-bulk.tsx'
import type { useQueue } from './use-queue.ts'

interface QueueListProps {
  queue: ReturnType<typeof useQueue>
  current: number | undefined
  selected: ReadonlyMap<string, AlarmRecord>
  onSelect: (rows: AlarmRecord[], on: boolean) => void
  onOpen: (record: AlarmRecord) => void
}

const emptyTexts = {
  open: { title: '没有未处理的告警', text: '新的告警会立即出现在这里。' },
  mine: { title: '没有认领中的告警', text: '在未处理的告警上点「认领」，它就归你处理。' },
  all: { title: '还没有告警记录', text: '启用的告警被场景触发后，记录出现在这里。' },
}

function useRowActions(onOpen: (record: AlarmRecord) => void) {
  const navigate = useNavigate()
  const work = useAlarmWork()
  const bulk = useBulk()
  const may = useMay()
  return (row: AlarmRecord): RowAction[] => [
    { key: 'open', label: isOpenRecord(row) && may(createDealRecord) ? '处理' : '查看', onClick: () => onOpen(row) },
    { key: 'log', label: '日志', onClick: () => void navigate(alarmLogPath(row)) },
    ...(isOpenRecord(row)
      ? [
          {
            key: 'claim',
            label: '认领',
            needs: claimRecords,
            onClick: () => void bulk('认领', [row], (ids) => work.claim(ids)),
          },
          { key: 'ignore', label: '忽略', needs: ignoreRecords, onClick: () => void bulk('忽略', [row], work.ignore) },
        ]
      : []),
    ...(hasDevice(row)
      ? [{ key: 'device', label: '查看设备', onClick: () => void navigate(deviceDetailPath(row)) }]
      : []),
  ]
}

/** Rows, their states and paging. */
export function QueueList({ queue, current, selected, onSelect, onOpen }: QueueListProps) {
  const phone = usePhone()
  const { density } = usePreferences()
  const { state, set, result, active, fresh } = queue
  const narrow = current !== undefined
  const columns = useMemo(() => queueColumns({ onOpen, narrow }), [onOpen, narrow])
  const rowActions = useRowActions(onOpen)
  const selectable = [claimRecords, ignoreRecords, dealRecords].some(useMay())
  const forbidden = result.isError && describeError(result.error).kind === 'forbidden'
  const rows = forbidden ? [] : (result.data?.list ?? [])
  const refresh = () => void result.refetch()
  const without = (name: string) => {
    const { [name]: _, ...rest } = state.filters
    set({ filters: rest, page: 1 })
  }
  return (
    <>
      {result.isRefetchError && !forbidden && (
        <StaleBanner
          error={result.error}
          updatedAt={result.dataUpdatedAt}
          onRetry={refresh}
          retrying={result.isFetching}
        />
      )}
      <ListBody
        subject="告警记录"
        error={result.error}
        failed={forbidden || (result.isError && !result.isRefetchError)}
        fetching={result.isFetching}
        onRetry={refresh}
        forbiddenHelp={undefined}
        loading={result.isPending}
        skeleton={<ListSkeleton columns={7} rows={state.size} phone={phone} />}
        empty={rows.length === 0}
        emptyText={emptyTexts[tabOf(state.filters.tab)]}
        active={active}
        onRemoveFilter={without}
        onClearFilters={() => set({ filters: initialTexts(queueFields), page: 1 })}
      >
        <div
          className={result.isPlaceholderData ? 'list-rows list-rows-waiting' : 'list-rows'}
          aria-busy={result.isFetching}
        >
          {phone ? (
            <RowCards
              rows={rows}
              columns={columns}
              keyOf={(row) => String(row.id)}
              tree={false}
              rowActions={rowActions}
              expandable={undefined}
              selected={selectable ? new Set(selected.keys()) : undefined}
              onSelect={(row, on) => onSelect([row], on)}
            />
          ) : (
            <QueueTable
              rows={rows}
              columns={columns}
              sort={state.sort}
              onSort={(sort) => set({ sort, page: 1 })}
              selected={selectable ? selected : undefined}
              onSelect={onSelect}
              fresh={fresh}
              current={current}
              onOpen={onOpen}
              rowActions={narrow ? undefined : rowActions}
              compact={density === 'small'}
            />
          )}
        </div>
      </ListBody>
      {rows.length > 0 && (
        <div className="list-pagination">
          {!phone && <span className="list-total quiet">共 {result.data?.total.toLocaleString()} 条 · 自动刷新</span>}
          <Pagination
            size={phone ? undefined : 'small'}
            simple={phone || narrow}
            current={state.page}
            pageSize={state.size}
            total={result.data?.total ?? 0}
            showSizeChanger={!phone}
            pageSizeOptions={pageSizes.map(String)}
            onChange={(page, size) => set(size === state.size ? { page } : { page: 1, size })}
          />
        </div>
      )}
    </>
  )
}
