import type { QueryFunctionContext } from '@tanstack/react-query'
import type { TableProps } from 'antd'
import type { ReactNode } from 'react'
import type { Right } from '#kit/rights.tsx'
import type { StatusLooks, StatusTone } from '#kit/status-tag.tsx'
import type { TimeTextProps } from '#kit/time-text.tsx'

export interface ListOrder {
  field: string
  /** 1 ascending, 2 descending, as the wire has it. */
  sort: 1 | 2
}

export interface ListPaging {
  page: number
  size: number
  orders?: ListOrder[]
}

export interface ListResult<T> {
  list: T[]
  total: number
}

type ReadList<T> = { read(context: QueryFunctionContext): ListResult<T> | Promise<ListResult<T>> }['read']

/** What `queryOptions()` gives; its other settings are used too. The method form above makes the parameter bivariant, so any key type fits. */
export interface ListQuery<T> {
  queryKey: readonly unknown[]
  queryFn?: ReadList<T> | symbol | undefined
}

export interface FilterOption {
  label: string
  value: string | number
}

export interface FilterField {
  name: string
  label: string
  /**
   * text: contains; select: one of options; date-range: `{ timeStart, timeEnd }` in ms strings;
   * time: a TimeChoice, to be resolved with resolveTime() inside queryFn; custom: a string drawn by `render`.
   */
  control: 'text' | 'select' | 'date-range' | 'time' | 'custom'
  options?: readonly FilterOption[]
  placeholder?: string
  /** A custom control whose choice is complete with one click: it searches at once, as times do. */
  atOnce?: boolean
  /** Hidden until 展开. */
  advanced?: boolean
  width?: number
  render?: (props: {
    id: string
    value: string | undefined
    onChange: (value: string | undefined) => void
  }) => ReactNode
  /** How a custom value reads in a filter tag. */
  describe?: (value: string) => string
  /** The value when the URL names none (for example a preset of a log). */
  initial?: string
}

type AntdColumn<T> = NonNullable<TableProps<T>['columns']>[number]

export type ListColumn<T> = Omit<AntdColumn<T>, 'sorter' | 'title' | 'key' | 'render' | 'children'> & {
  /** Names the column in stored settings and, with `sorter`, in the sort sent to the server. */
  key: string
  title: string
  dataIndex?: keyof T & string
  /** Without it the cell is what `labels` or `exportText` say, or the raw value. */
  render?: (value: unknown, row: T, index: number) => ReactNode
  /** The field named by `key` is a moment: drawn in this way, exported in full. */
  time?: TimeTextProps['mode']
  /** The field named by `key` is one of these: drawn with its tone, exported as its word. */
  looks?: StatusLooks
  /** The field named by `key` is one of these words. */
  labels?: Readonly<Record<string | number, string>>
  /** Of a column that is drawn from several fields: those that a file has instead, with their heads. */
  fields?: Readonly<Record<string, string>>
  /** Server-side sort by `key`. */
  sorter?: boolean
  /** Column settings may not hide it when false. */
  hideable?: boolean
  /** Hidden until somebody shows it in the column settings. */
  hiddenAtFirst?: boolean
  /** Where the value goes on a phone card; columns without it are left out there. */
  phone?: 'title' | 'subtitle' | 'meta' | 'status' | 'hide'
  /** The text of a cell without `render`, and of a row that is chosen for a CSV; default: the raw value. `false` leaves the column out. */
  exportText?: ((row: T) => string | number | null | undefined) | false
  /** Cut the cell at this many pixels, the whole text in a tooltip. */
  truncate?: number
}

export interface RowAction {
  /** The endpoint behind it: not shown to whoever may not call it. */
  needs?: Right
  key: string
  label: string
  onClick: () => void
  icon?: ReactNode
  /** Asked for a confirmation by the screen; red only there. */
  danger?: boolean
  disabled?: boolean
  /** Why it is disabled, as a tooltip. */
  hint?: string
}

export interface ListCounter {
  key: string
  label: string
  value: number | undefined
  tone?: StatusTone
  ring?: boolean
  hint?: ReactNode
  /** The filter values this counter stands for; empty = all; absent: it only tells. */
  filter?: Record<string, string>
}

export interface EmptyText {
  title: string
  text?: ReactNode
  action?: ReactNode
}

export interface ListSelection<T> {
  /** Buttons of the selection bar. `all`: every row that the filter matches is meant, not only these. */
  actions: (rows: T[], clear: () => void, all: boolean) => ReactNode
  /** The buttons can act on all rows of the filter. */
  byFilter?: boolean
  disabled?: (row: T) => boolean
  /** The name of a row's box for those who do not see it beside its row. */
  label?: (row: T) => string
  /** The endpoints behind the buttons: nothing can be selected by whoever may call none of them. */
  needs?: readonly Right[]
  /** The counting word: 已选 3 项. */
  unit?: string
}

/** Filters that are sent as they are: what a query takes besides the page. */
export type FiltersOf<Query extends (body: never) => unknown> = Omit<Parameters<Query>[0], 'page'>

/** F: the filters as the screen's query reads them, keyed by field name. */
export interface ListPageProps<T extends object, F> {
  title: string
  subtitle?: ReactNode
  /** Buttons right of the title. */
  extra?: ReactNode
  /** The button for a new one: behind them, and in the middle while there is none. */
  create?: { text: string; needs?: Right; onClick: () => void }
  counters?: readonly ListCounter[]
  filters?: readonly FilterField[]
  columns: readonly ListColumn<T>[]
  rowKey: (keyof T & string) | ((row: T) => string)
  /** Column settings are stored under this name. */
  storageKey: string
  query: (input: { page: ListPaging; filters: F }) => ListQuery<T>
  selection?: ListSelection<T>
  /** File name without extension; shows the export button. */
  exportName?: string
  empty: EmptyText
  expandable?: TableProps<T>['expandable']
  /** Rows carry `children`; no paging. */
  tree?: boolean
  rowActions?: (row: T) => RowAction[]
  /** A leading 48 px column with the running number. */
  index?: boolean
  /** Left part of the toolbar. */
  toolbar?: ReactNode
  /** Right part of the toolbar, before the icons (auto refresh). */
  toolbarExtra?: ReactNode
  /** Sort when the URL names none: `createdTime.2`. */
  defaultSort?: string
  /** Inside a tab or drawer: no page heading. */
  embedded?: boolean
  /** Keeps two lists of one page apart in the URL. */
  urlPrefix?: string
  forbiddenHelp?: string
}
