import { t } from '@ithings/contract/text.ts'
import { Pagination } from 'antd'
import type { ReactNode } from 'react'
import { pageSizes, usePreferences } from '#kit/preferences.tsx'
import { useHeld } from '#kit/rights.tsx'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type ActiveFilter, type FilterTexts, initialTexts } from './filter-values.ts'
import { ListBody } from './list-body.tsx'
import type { ListColumn, ListPageProps } from './list-contract.ts'
import './list-page.css'
import './list-page-phone.css'
import { ListSkeleton } from './list-skeleton.tsx'
import { ListTable, type ListTableProps } from './list-table.tsx'
import { RowCards } from './row-cards.tsx'
import type { List } from './use-list.ts'

type Looks<T extends object> = Pick<
  ListPageProps<T, never>,
  'title' | 'empty' | 'expandable' | 'tree' | 'index' | 'rowActions' | 'selection' | 'forbiddenHelp'
>

interface ListRowsProps<T extends object> {
  list: List<T>
  page: Looks<T>
  columns: readonly ListColumn<T>[]
  /** On a phone no column is hidden by settings. */
  cardColumns?: readonly ListColumn<T>[]
  keyOf: (row: T) => string
  /** Undefined: there is nothing to do with a selection. */
  selected?: ReadonlySet<string> | undefined
  onSelect?: (rows: T[], on: boolean) => void
  /** What is filtered by, where not every filter of the list narrows it. */
  active?: readonly ActiveFilter[]
  onSearch?: (filters: FilterTexts) => void
  /** Settings of antd's table that this list has of its own. */
  table?: ListTableProps<T>['table']
  /** Behind the number of rows. */
  totalNote?: ReactNode
  /** There is little room: only the arrows of the paging. */
  narrow?: boolean
}

const nothing = () => undefined

/** The rows of a list in every state they can have, and its paging; the toolbar and the query form are the caller's. */
export function ListRows<T extends object>(props: ListRowsProps<T>) {
  const { list, page, columns, keyOf, selected, onSelect = nothing, onSearch = list.search } = props
  const { state, set, result, rows, forbidden, refresh } = list
  const phone = usePhone()
  const held = useHeld()
  const { density } = usePreferences()
  const tree = page.tree ?? false
  const { rowActions: actions } = page
  // Nobody is shown a column of acts for which he has no act.
  const rowActions = actions && rows.some((row) => held(actions(row)).length > 0) ? actions : undefined
  const without = (name: string) => {
    const { [name]: _, ...rest } = state.filters
    return rest
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
        subject={page.title}
        error={result.error}
        failed={forbidden || (result.isError && !result.isRefetchError)}
        fetching={result.isFetching}
        onRetry={refresh}
        forbiddenHelp={page.forbiddenHelp}
        loading={result.isPending}
        skeleton={<ListSkeleton columns={columns.length + 1} rows={state.size} phone={phone} />}
        empty={rows.length === 0}
        emptyText={page.empty}
        active={props.active ?? list.active}
        onRemoveFilter={(name) => onSearch(without(name))}
        onClearFilters={() => onSearch(initialTexts(list.fields))}
      >
        <div
          className={result.isPlaceholderData ? 'list-rows list-rows-waiting' : 'list-rows'}
          aria-busy={result.isFetching}
        >
          {phone ? (
            <RowCards
              rows={rows}
              columns={props.cardColumns ?? columns}
              keyOf={keyOf}
              tree={tree}
              rowActions={rowActions}
              expandable={page.expandable}
              selected={selected}
              onSelect={(row, on) => onSelect([row], on)}
            />
          ) : (
            <ListTable
              rows={rows}
              columns={columns}
              keyOf={keyOf}
              page={page}
              rowActions={rowActions}
              sort={state.sort}
              onSort={(sort) => set({ sort, page: 1 })}
              size={density}
              firstIndex={(state.page - 1) * state.size + 1}
              selected={selected}
              onSelectRows={onSelect}
              table={props.table}
            />
          )}
        </div>
      </ListBody>
      {!tree && rows.length > 0 && <Pages list={list} note={props.totalNote} simple={phone || props.narrow === true} />}
    </>
  )
}

function Pages<T extends object>({ list, note, simple }: { list: List<T>; note: ReactNode; simple: boolean }) {
  const { state, set, total = 0 } = list
  const phone = usePhone()
  return (
    <div className="list-pagination row between gap-8-16 high-48">
      {!phone && (
        <span className="list-total quiet">
          {t('共 {count, number} 条', { count: total })}
          {note}
        </span>
      )}
      <Pagination
        size={phone ? undefined : 'small'}
        simple={simple}
        current={state.page}
        pageSize={state.size}
        total={total}
        showSizeChanger={!phone}
        showQuickJumper={!simple}
        pageSizeOptions={pageSizes.map(String)}
        onChange={(page, size) => set(size === state.size ? { page } : { page: 1, size })}
      />
    </div>
  )
}
