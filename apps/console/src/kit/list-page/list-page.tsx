import { DownloadOutlined } from '@ant-design/icons'
import { Button, Pagination } from 'antd'
import { useCallback, useState } from 'react'
import { pageSizes, usePreferences } from '#kit/preferences.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type ColumnSettings, loadSettings, saveSettings } from './column-settings.ts'
import { ColumnSettingsPopover } from './column-settings-popover.tsx'
import { Counters } from './counters.tsx'
import { FilterForm } from './filter-form.tsx'
import { type FilterTexts, initialTexts } from './filter-values.ts'
import { ListBody } from './list-body.tsx'
import type { ListColumn, ListPageProps } from './list-contract.ts'
import './list-page.css'
import './list-parts.css'
import './list-page-phone.css'
import { useHeld, useMay } from '#kit/rights.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { ListTable } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { PageHeading } from './page-heading.tsx'
import { flattenRows, RowCards } from './row-cards.tsx'
import { ExportProgressBar, useExport } from './use-export.tsx'
import { useList } from './use-list.ts'
import { offersAll, useSelection } from './use-selection.ts'

const noRows: [] = []

function useColumns<T extends object>(columns: readonly ListColumn<T>[], storageKey: string) {
  const [settings, setSettings] = useState(() => loadSettings(storageKey, columns))
  const change = (next: ColumnSettings) => {
    setSettings(next)
    saveSettings(storageKey, next)
  }
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const shown = settings.order.filter((key) => !settings.hidden.includes(key)).flatMap((key) => byKey.get(key) ?? [])
  return { settings, change, shown }
}

/**
 * The list screen: heading, counters, query form, toolbar, table (cards on a phone), paging, and every state of them.
 * Page, size, sort and filters live in the URL; rows come from the given query.
 */
export function ListPage<T extends object, F = Record<string, unknown>>(props: ListPageProps<T, F>) {
  const { title, columns, rowKey, rowActions, tree = false, embedded = false } = props
  const phone = usePhone()
  const held = useHeld()
  const may = useMay()
  const selection = props.selection?.needs?.some(may) === false ? undefined : props.selection
  const { density } = usePreferences()
  const { state, set, filters, orders, result, fields, active } = useList(props)
  const keyOf = useCallback((row: T) => (typeof rowKey === 'function' ? rowKey(row) : String(row[rowKey])), [rowKey])
  const { settings, change, shown } = useColumns(columns, props.storageKey)
  const exporting = useExport({
    name: props.exportName ?? title,
    columns: shown,
    query: (page) => props.query({ page, filters }),
    orders,
  })

  // What one may no longer see does not stay on the screen as "older data".
  const forbidden = result.isError && describeError(result.error).kind === 'forbidden'
  const shownData = forbidden ? undefined : result.data
  const rows = shownData?.list ?? noRows
  const total = shownData?.total ?? 0
  // Nobody is shown a column of acts, or a box to tick, for which he has no act.
  const { chosen, all, pick, pickAll, clear } = useSelection(keyOf, rows, JSON.stringify(state.filters))
  const selected = selection && new Set(all ? rows.map(keyOf) : chosen.keys())
  const hasActions = rowActions !== undefined && rows.some((row) => held(rowActions(row)).length > 0)
  const refresh = () => void result.refetch()
  const search = (values: FilterTexts) => {
    clear()
    // Asking again with the same conditions must still ask: the URL does not change then.
    if (JSON.stringify(values) === JSON.stringify(state.filters) && state.page === 1) refresh()
    else set({ filters: values, page: 1 })
  }
  const without = (name: string) => {
    const { [name]: _, ...rest } = state.filters
    return rest
  }
  const chosenRows = [...chosen.values()]
  const selectionBar = selection && chosen.size > 0 && (
    <div className="selection-bar row wrap">
      <span>
        已选{all && '全部'} <b>{(all ? total : chosen.size).toLocaleString()}</b> {selection.unit ?? '项'}
      </span>
      {selection.byFilter && !all && offersAll(rows.map(keyOf), chosen, total, phone) && (
        <Button type="link" size="small" onClick={pickAll}>
          选择全部 {total.toLocaleString()} 条
        </Button>
      )}
      <Button type="link" size="small" onClick={clear}>
        取消选择
      </Button>
      {selection.actions(chosenRows, clear, all)}
      {props.exportName && (
        <Button type="text" icon={<DownloadOutlined />} onClick={() => exporting.exportRows(chosenRows)}>
          导出所选
        </Button>
      )}
    </div>
  )
  const exportAll = tree ? () => exporting.exportRows(flattenRows(rows)) : () => void exporting.exportAll()
  const showExport = Boolean(props.exportName) && total > 0 && chosen.size === 0

  return (
    <div className={phone ? 'list-page list-page-phone' : 'list-page'}>
      {!embedded && <PageHeading title={title} subtitle={phone ? undefined : props.subtitle} extra={props.extra} />}
      {props.counters && (
        <Counters
          counters={props.counters}
          filters={state.filters}
          onPick={(filter) => search({ ...state.filters, ...filter })}
        />
      )}
      {fields.length > 0 && (
        <FilterForm
          listName={props.embedded ? props.title : undefined}
          fields={fields}
          values={state.filters}
          phone={phone}
          activeCount={active.length}
          onSearch={search}
          onReset={() => search(initialTexts(fields))}
        />
      )}
      <div className={phone ? 'list-plain' : 'list-card'}>
        <ListToolbar
          left={props.toolbar}
          selection={selectionBar}
          extra={props.toolbarExtra}
          updatedAt={result.dataUpdatedAt}
          refreshing={result.isFetching}
          onRefresh={refresh}
          onExport={showExport ? exportAll : undefined}
          exportBar={
            exporting.progress && <ExportProgressBar progress={exporting.progress} onCancel={exporting.cancel} />
          }
          columns={<ColumnSettingsPopover columns={columns} settings={settings} onChange={change} />}
          phone={phone}
          total={shownData?.total}
        />
        {result.isRefetchError && !forbidden && (
          <StaleBanner
            error={result.error}
            updatedAt={result.dataUpdatedAt}
            onRetry={refresh}
            retrying={result.isFetching}
          />
        )}
        <ListBody
          subject={title}
          error={result.error}
          failed={forbidden || (result.isError && !result.isRefetchError)}
          fetching={result.isFetching}
          onRetry={refresh}
          forbiddenHelp={props.forbiddenHelp}
          loading={result.isPending}
          skeleton={<ListSkeleton columns={shown.length + 1} rows={state.size} phone={phone} />}
          empty={rows.length === 0}
          emptyText={props.empty}
          active={active}
          onRemoveFilter={(name) => search(without(name))}
          onClearFilters={() => search(initialTexts(fields))}
        >
          <div
            className={result.isPlaceholderData ? 'list-rows list-rows-waiting' : 'list-rows'}
            aria-busy={result.isFetching}
          >
            {phone ? (
              <RowCards
                rows={rows}
                columns={columns}
                keyOf={keyOf}
                tree={tree}
                rowActions={hasActions ? rowActions : undefined}
                expandable={props.expandable}
                selected={selected}
                onSelect={(row, on) => pick([row], on)}
              />
            ) : (
              <ListTable
                rows={rows}
                columns={shown}
                keyOf={keyOf}
                page={props}
                rowActions={hasActions ? rowActions : undefined}
                sort={state.sort}
                onSort={(sort) => set({ sort, page: 1 })}
                size={density}
                firstIndex={(state.page - 1) * state.size + 1}
                selected={selected}
                onSelectRows={pick}
              />
            )}
          </div>
        </ListBody>
        {!tree && rows.length > 0 && (
          <div className="list-pagination">
            {!phone && <span className="list-total quiet">共 {total.toLocaleString()} 条</span>}
            <Pagination
              size={phone ? undefined : 'small'}
              simple={phone}
              current={state.page}
              pageSize={state.size}
              total={total}
              showSizeChanger={!phone}
              showQuickJumper={!phone}
              pageSizeOptions={pageSizes.map(String)}
              onChange={(page, size) => set(size === state.size ? { page } : { page: 1, size })}
            />
          </div>
        )}
      </div>
    </div>
  )
}
