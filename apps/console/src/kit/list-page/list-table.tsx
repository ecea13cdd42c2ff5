import { t } from '@ithings/contract/text.ts'
import { Table, type TableProps } from 'antd'
import type { SortOrder } from 'antd/es/table/interface'
import { useMemo } from '#language/use-memo.ts'
import type { ListColumn, ListPageProps, RowAction } from './list-contract.ts'
import { RowActions } from './row-actions.tsx'
import { cellOf } from './row-cards.tsx'
import { parseSort } from './use-list-state.ts'

export interface ListTableProps<T extends object> {
  rows: readonly T[]
  columns: readonly ListColumn<T>[]
  keyOf: (row: T) => string
  page: Pick<ListPageProps<T, never>, 'title' | 'index' | 'tree' | 'expandable' | 'selection'>
  rowActions: ((row: T) => RowAction[]) | undefined
  sort: string | undefined
  onSort: (sort: string | undefined) => void
  size: 'middle' | 'small'
  firstIndex: number
  selected: ReadonlySet<string> | undefined
  onSelectRows: (rows: T[], on: boolean) => void
  /** Settings of antd's table that this list has of its own. */
  table?: Pick<TableProps<T>, 'className' | 'rowClassName' | 'onRow' | 'scroll' | 'tableLayout'> | undefined
}

type AntdColumns<T> = NonNullable<TableProps<T>['columns']>

const orderOf = (sort: string | undefined, key: string): SortOrder => {
  const order = parseSort(sort)?.[0]
  if (order?.field !== key) return null
  return order.sort === 1 ? 'ascend' : 'descend'
}

function antdColumn<T extends object>(column: ListColumn<T>, sort: string | undefined): AntdColumns<T>[number] {
  const {
    phone: _p,
    exportText: _e,
    hideable: _h,
    hiddenAtFirst: _f,
    time: _t,
    looks: _l,
    labels: _w,
    fields: _s,
    ...drawn
  } = column
  const { truncate, sorter, render: _r, ...rest } = drawn
  const cell = (_value: unknown, row: T, index: number) => {
    const shown = cellOf(column, row, index)
    if (!truncate) return shown
    const raw: unknown = column.dataIndex ? row[column.dataIndex] : undefined
    return (
      <span
        className="cell-truncate cut inline-block"
        style={{ maxWidth: truncate }}
        title={typeof raw === 'string' ? raw : undefined}
      >
        {shown}
      </span>
    )
  }
  return {
    ...rest,
    title: t(column.title),
    render: cell,
    ...(sorter && { sorter: true, sortOrder: orderOf(sort, column.key) }),
  }
}

/** The columns as antd wants them, with the running number before and the acts behind them. */
function useAntdColumns<T extends object>(props: ListTableProps<T>): AntdColumns<T> {
  const { columns, rowActions, sort, firstIndex, page } = props
  const numbered = page.index === true && !page.tree
  return useMemo(() => {
    const shown = columns.map((column) => antdColumn(column, sort))
    if (numbered) {
      shown.unshift({
        key: '#',
        title: t('序号'),
        width: 56,
        className: 'cell-index',
        render: (_value, _row, at) => firstIndex + at,
      })
    }
    if (rowActions) {
      shown.push({
        key: '#actions',
        title: t('操作'),
        fixed: 'end',
        render: (_v, row) => <RowActions actions={rowActions(row)} />,
      })
    }
    return shown
  }, [columns, sort, numbered, rowActions, firstIndex])
}

export function ListTable<T extends object>(props: ListTableProps<T>) {
  const { rows, keyOf, page, onSort, size, selected, onSelectRows } = props
  const columns = useAntdColumns(props)
  const { disabled, label } = page.selection ?? {}
  return (
    <Table<T>
      aria-label={page.title}
      dataSource={rows as T[]}
      columns={columns}
      rowKey={keyOf}
      size={size === 'middle' ? 'medium' : 'small'}
      pagination={false}
      showSorterTooltip={false}
      scroll={{ x: 'max-content' }}
      sticky
      expandable={
        page.tree
          ? { ...page.expandable, childrenColumnName: 'children' }
          : page.expandable && { columnTitle: <span className="visually-hidden">{t('展开')}</span>, ...page.expandable }
      }
      onChange={(_pages, _filters, sorter) => {
        const one = Array.isArray(sorter) ? sorter[0] : sorter
        if (!one?.order || !one.columnKey) onSort(undefined)
        else onSort(`${String(one.columnKey)}.${one.order === 'ascend' ? 1 : 2}`)
      }}
      rowSelection={
        selected && {
          selectedRowKeys: [...selected],
          preserveSelectedRowKeys: true,
          checkStrictly: true,
          onSelect: (row, on) => onSelectRows([row], on),
          onSelectAll: (on, _all, changed) => onSelectRows(changed, on),
          getCheckboxProps: (row) => ({
            disabled: disabled?.(row) ?? false,
            ...(label && { 'aria-label': label(row) }),
          }),
        }
      }
      {...props.table}
    />
  )
}
