import { t } from '@ithings/contract/text.ts'
import { Checkbox } from 'antd'
import { type ReactNode, useState } from 'react'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import type { WireTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import type { ListColumn, ListPageProps, RowAction } from './list-contract.ts'
import { RowActions } from './row-actions.tsx'

interface RowCardsProps<T> {
  rows: readonly T[]
  columns: readonly ListColumn<T>[]
  keyOf: (row: T) => string
  tree: boolean
  rowActions: ((row: T) => RowAction[]) | undefined
  expandable: ListPageProps<T & object, unknown>['expandable']
  selected: ReadonlySet<string> | undefined
  onSelect: (row: T, on: boolean) => void
}

interface FlatRow<T> {
  row: T
  depth: number
}

const flatten = <T,>(rows: readonly T[], depth = 0): FlatRow<T>[] =>
  rows.flatMap((row) => [
    { row, depth },
    ...flatten(((row as { children?: readonly T[] }).children ?? []) as readonly T[], depth + 1),
  ])

export const flattenRows = <T,>(rows: readonly T[]): T[] => flatten(rows).map((one) => one.row)

export const cellOf = <T,>(column: ListColumn<T>, row: T, index: number): ReactNode => {
  const value: unknown = column.dataIndex ? row[column.dataIndex] : undefined
  if (column.render) return column.render(value, row, index)
  const named = row[column.key as keyof T]
  if (column.time) return <TimeText value={named as WireTime} mode={column.time} />
  if (column.looks) return <StatusTag looks={column.looks} value={named as string | number} />
  if (column.labels) return labelOf(column.labels, named as string | number)
  if (!column.dataIndex && column.exportText) return column.exportText(row)
  return value === undefined || value === null || value === '' ? <span className="no-value">—</span> : String(value)
}

/** Phone: tables become cards with the columns that matter (look.md "Phone"). */
export function RowCards<T extends object>(props: RowCardsProps<T>) {
  const flat = props.tree ? flatten(props.rows) : props.rows.map((row) => ({ row, depth: 0 }))
  return (
    <ul className="bare-list column gap-8">
      {flat.map(({ row, depth }, index) => (
        <RowCard key={props.keyOf(row)} {...props} row={row} depth={depth} index={index} />
      ))}
    </ul>
  )
}

function RowCard<T extends object>(props: RowCardsProps<T> & { row: T; depth: number; index: number }) {
  const { row, index, columns, keyOf, selected, onSelect, rowActions, expandable, depth } = props
  const [open, setOpen] = useState(false)
  const at = (place: ListColumn<T>['phone']) => columns.filter((column) => column.phone === place)
  const cells = (place: ListColumn<T>['phone']) =>
    at(place).map((column) => [column, cellOf(column, row, index)] as const)
  const actions = rowActions?.(row) ?? []
  const renderMore = expandable?.expandedRowRender
  return (
    <li className="row-card" style={depth ? { marginInlineStart: depth * 16 } : undefined}>
      <div className="flex top gap-8">
        {selected && (
          <Checkbox
            className="row-card-check center high-44"
            checked={selected.has(keyOf(row))}
            onChange={(event) => onSelect(row, event.target.checked)}
            aria-label={t('选择')}
          />
        )}
        <div className="row-card-title grow shrink anywhere bold size-16 line-24">
          {cells('title').map(([column, cell]) => (
            <span key={column.key}>{cell}</span>
          ))}
        </div>
        <div className="row-card-status">
          {cells('status').map(([column, cell]) => (
            <span key={column.key}>{cell}</span>
          ))}
        </div>
      </div>
      {cells('subtitle').map(([column, cell]) => (
        <div key={column.key} className="row-card-subtitle anywhere softer">
          {cell}
        </div>
      ))}
      <dl className="row-card-meta above-4 bare meta flex wrap">
        {cells('meta').map(([column, cell]) => (
          <div key={column.key}>
            <dt>{t(column.title)}</dt>
            <dd>{cell}</dd>
          </div>
        ))}
      </dl>
      {actions.length > 0 && <RowActions actions={actions} touch />}
      {renderMore && (
        <div className="at-end line-above row" style={{ margin: '8px -12px -12px', padding: '0 4px' }}>
          <button
            type="button"
            className="plain-button link pad-x-8 high-44"
            style={{ marginInlineEnd: 'auto' }}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? t('收起详情') : t('查看详情')}
          </button>
        </div>
      )}
      {open && renderMore?.(row, index, 0, true)}
    </li>
  )
}
