import {
  type AlarmRecord,
  claimRecords,
  createDealRecord,
  dealRecords,
  ignoreRecords,
} from '@ithings/contract/features/alarms/record.ts'
import { t } from '@ithings/contract/text.ts'
import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { hasDevice, isOpenRecord } from '#blocks/alarm-records/record-words.ts'
import type { ListSelection, RowAction } from '#kit/list-page/list-contract.ts'
import { ListRows } from '#kit/list-page/list-rows.tsx'
import { alarmLogPath, deviceDetailPath } from '#kit/paths.ts'
import { useMay } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { useAlarmWork } from '../../queries.ts'
import { tabOf } from '../../queue-filter.ts'
import { queueColumns } from './queue-columns.tsx'
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
    {
      key: 'open',
      label: isOpenRecord(row) && may(createDealRecord) ? t('处理') : t('查看'),
      onClick: () => onOpen(row),
    },
    { key: 'log', label: t('日志'), onClick: () => void navigate(alarmLogPath(row)) },
    ...(isOpenRecord(row)
      ? [
          {
            key: 'claim',
            label: t('认领'),
            needs: claimRecords,
            onClick: () => void bulk('claim', [row], (ids) => work.claim(ids)),
          },
          {
            key: 'ignore',
            label: t('忽略'),
            needs: ignoreRecords,
            onClick: () => void bulk('ignore', [row], work.ignore),
          },
        ]
      : []),
    ...(hasDevice(row)
      ? [{ key: 'device', label: t('查看设备'), onClick: () => void navigate(deviceDetailPath(row)) }]
      : []),
  ]
}

/** A click on a control of the row is meant for the control. */
const isControl = (event: MouseEvent): boolean =>
  event.target instanceof Element &&
  event.target.closest('a, button, input, label, .ant-table-selection-column') !== null

const selection: ListSelection<AlarmRecord> = {
  actions: () => null,
  // Only what is open can be claimed, ignored or handled.
  disabled: (row) => !isOpenRecord(row),
  label: (row) => t('选择 {name}', { name: row.alarmName }),
}

/** Rows, their states and paging. */
export function QueueList({ queue, current, selected, onSelect, onOpen }: QueueListProps) {
  const { state, active, fresh } = queue
  const narrow = current !== undefined
  const empty = emptyTexts[tabOf(state.filters.tab)]
  const columns = useMemo(() => queueColumns({ onOpen, narrow }), [onOpen, narrow])
  const phone = usePhone()
  const rowActions = useRowActions(onOpen)
  const selectable = [claimRecords, ignoreRecords, dealRecords].some(useMay())
  return (
    <ListRows
      list={queue}
      page={{
        title: t('告警记录'),
        empty: { title: t(empty.title), text: t(empty.text) },
        selection,
        ...((phone || !narrow) && { rowActions }),
      }}
      columns={columns}
      keyOf={(row) => String(row.id)}
      selected={selectable ? new Set(selected.keys()) : undefined}
      onSelect={onSelect}
      active={active}
      table={{
        className: 'queue-table',
        rowClassName: (row) =>
          [row.id === current && 'queue-row-current', fresh.has(row.id) && 'queue-row-fresh'].filter(Boolean).join(' '),
        onRow: (row) => ({ onClick: (event) => !isControl(event) && onOpen(row) }),
        // Beside the open record the columns share the room that is left; otherwise they may need more than the screen has.
        ...(narrow && { scroll: {}, tableLayout: 'fixed' as const }),
      }}
      totalNote={t(' · 自动刷新')}
      narrow={narrow}
    />
  )
}
