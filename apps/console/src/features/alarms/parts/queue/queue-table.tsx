import type { AlarmRecord } from '@ithings/contract/features/alarms/record.ts'
import { Table } from 'antd'
import type { SortOrder } from 'antd/es/table/interface'
import type { MouseEvent } from 'react'
import { isOpenRecord } from '#blocks/alarm-records/record-words.ts'
import type { ListColumn, RowAction } from '#kit/list-page/list-contract.ts'
import { RowActions } from '#kit/list-page/row-actions.tsx'
import { cellOf } from '#kit/list-page/row-cards.tsx'
import { parseSort } from '#kit/list-page/use-list-state.ts'

interface QueueTableProps {
  rows: readonly AlarmRecord[]
  columns: readonly ListColumn<AlarmRecord>[]
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  /** Undefined: there is nothing to do with a selection. */
  selected: ReadonlyMap<string, AlarmRecord> | undefined
  onSelect: (rows: AlarmRecord[], on: boolean) => void
  fresh: ReadonlySet<number>
  /** The record that is open beside the table. */
  current: number | undefined
  onOpen: (record: AlarmRecord) => void
  rowActions: ((row: AlarmRecord) => RowAction[]) | undefined
  compact: boolean
}

const orderOf = (sort: string | undefined, key: string): SortOrder => {
  const order = parseSort(sort)?.[0]
  if (order?.field !== key) return null
  return order.sort === 1 ? 'ascend' : 'descend'
}

/** A click on a control of the row is meant for the control. */
const isControl = (event: MouseEvent): boolean =>
  event.target instanceof Element &&
  event.target.closest('a, button, input, label, .ant-table-selection-column') !== null

export function QueueTable(props: QueueTableProps) {
  const { rows, columns, sort, onSort, selected, onSelect, fresh, current, onOpen, rowActions, compact } = props
  const shown = columns.map((column) => {
    const { key, title, width, align, truncate, sorter } = column
    return {
      key,
      title,
      ...(width !== undefined && { width }),
      ...(align !== undefined && { align }),
      ...(sorter && { sorter: true, sortOrder: orderOf(sort, key) }),
      render: (_value: unknown, row: AlarmRecord, index: number) =>
        truncate ? (
          <span className="cell-truncate" style={{ maxWidth: truncate }} title={titleOf(column, row)}>
            {cellOf(column, row, index)}
          </span>
        ) : (
          cellOf(column, row, index)
        ),
    }
  })
  return (
    <Table<AlarmRecord>
      className="queue-table"
      aria-label="告警记录"
      dataSource={[...rows]}
      columns={[
        ...shown,
        ...(rowActions
          ? [
              {
                key: '#actions',
                title: '操作',
                fixed: 'end' as const,
                render: (_v: unknown, row: AlarmRecord) => <RowActions actions={rowActions(row)} />,
              },
            ]
          : []),
      ]}
      rowKey={(row) => String(row.id)}
      size={compact ? 'small' : 'medium'}
      pagination={false}
      sticky
      showSorterTooltip={false}
      // Beside the open record the columns share the room that is left; otherwise they may need more than the screen has.
      {...(rowActions ? { scroll: { x: 'max-content' } } : { tableLayout: 'fixed' as const })}
      onChange={(_pages, _filters, sorter) => {
        const one = Array.isArray(sorter) ? sorter[0] : sorter
        if (!one?.order || !one.columnKey) onSort(undefined)
        else onSort(`${String(one.columnKey)}.${one.order === 'ascend' ? 1 : 2}`)
      }}
      rowClassName={(row) =>
        [row.id === current && 'queue-row-current', fresh.has(row.id) && 'queue-row-fresh'].filter(Boolean).join(' ')
      }
      onRow={(row) => ({ onClick: (event) => !isControl(event) && onOpen(row) })}
      {...(selected && {
        rowSelection: {
          selectedRowKeys: [...selected.keys()],
          preserveSelectedRowKeys: true,
          onSelect: (row, on) => onSelect([row], on),
          onSelectAll: (on, _all, changed) => onSelect(changed, on),
          // Only what is open can be claimed, ignored or handled.
          getCheckboxProps: (row) => ({ disabled: !isOpenRecord(row), 'aria-label': `选择 ${row.alarmName}` }),
        },
      })}
    />
  )
}

const titleOf = (column: ListColumn<AlarmRecord>, row: AlarmRecord): string | undefined => {
  const raw: unknown = column.dataIndex ? row[column.dataIndex] : undefined
  return typeof raw === 'string' ? raw : undefined
}
