import { DownloadOutlined, PlusOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useCallback, useState } from 'react'
import { ExportButton } from '#kit/export-button.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { ActButton, useMay } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { type ColumnSettings, loadSettings, saveSettings } from './column-settings.ts'
import { ColumnSettingsPopover } from './column-settings-popover.tsx'
import { FilterForm } from './filter-form.tsx'
import { type FilterTexts, initialTexts } from './filter-values.ts'
import type { ListColumn, ListCounter, ListPageProps, ListSelection } from './list-contract.ts'
import './list-page.css'
import './list-parts.css'
import './list-page-phone.css'
import { numberText } from '#kit/number-text.ts'
import { ListRows } from './list-rows.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { PageHeading } from './page-heading.tsx'
import { flattenRows } from './row-cards.tsx'
import { useList } from './use-list.ts'
import { useListExport } from './use-list-export.ts'
import { offersAll, useSelection } from './use-selection.ts'

interface CountersProps {
  counters: readonly ListCounter[]
  filters: FilterTexts
  onPick: (filter: Record<string, string>) => void
}

/** look.md 12: counters are filters. A counter is on when its own values are exactly those set among all counters. */
function Counters({ counters, filters, onPick }: CountersProps) {
  const names = [...new Set(counters.flatMap((counter) => Object.keys(counter.filter ?? {})))]
  const isOn = ({ filter = {} }: ListCounter) => names.every((name) => (filter[name] ?? '') === (filters[name] ?? ''))
  return (
    <div className="list-card counters">
      {counters.map((counter) =>
        counter.filter ? (
          <button
            key={counter.key}
            type="button"
            className={isOn(counter) ? 'plain-button counter counter-on' : 'plain-button counter'}
            aria-pressed={isOn(counter)}
            onClick={() => onPick(Object.fromEntries(names.map((name) => [name, counter.filter?.[name] ?? ''])))}
          >
            <Figure counter={counter} />
          </button>
        ) : (
          <div key={counter.key} className="counter counter-told">
            <Figure counter={counter} />
          </div>
        ),
      )}
    </div>
  )
}

const Figure = ({ counter: { label, value, tone, ring, hint } }: { counter: ListCounter }) => (
  <>
    <span className="counter-label row softer gap-8">
      {tone && <span className={`counter-dot tone-${tone} ${ring ? 'counter-ring' : ''}`} aria-hidden="true" />}
      {label}
    </span>
    <span className="counter-value flex baseline bold">
      {value === undefined ? '—' : numberText(value)}
      {hint !== undefined && <span className="counter-hint regular line-20 small quiet">{hint}</span>}
    </span>
  </>
)

function useColumns<T extends object>(columns: readonly ListColumn<T>[], storageKey: string) {
  const [settings, setSettings] = useState(() => loadSettings(storageKey, columns))
  const change = (next: ColumnSettings) => {
    setSettings(next)
    saveSettings(storageKey, next)
  }
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const shown = settings.order.filter((key) => !settings.hidden.includes(key)).flatMap((key) => byKey.get(key) ?? [])
  const popover = <ColumnSettingsPopover columns={columns} settings={settings} onChange={change} />
  return { shown, popover }
}

interface SelectionBarProps<T> {
  selection: ListSelection<T>
  picked: ReturnType<typeof useSelection<T>>
  total: number
  /** The whole page is chosen and there is more. */
  moreToPick: boolean
  onExport: ((rows: T[]) => void) | undefined
}

/** How many rows are chosen, and what can be done with them. */
function SelectionBar<T>({ selection, picked, total, moreToPick, onExport }: SelectionBarProps<T>) {
  const { chosen, all, pickAll, clear } = picked
  const rows = [...chosen.values()]
  const unit = selection.unit ?? t('项')
  return (
    <div className="selection-bar gap-4-8 row wrap">
      <span>
        <RichText
          text={
            all
              ? t('已选全部 <0>{count, number}</0> {unit}', { count: total, unit })
              : t('已选 <0>{count, number}</0> {unit}', { count: chosen.size, unit })
          }
          parts={[<b key="count" />]}
        />
      </span>
      {selection.byFilter && !all && moreToPick && (
        <Button type="link" size="small" onClick={pickAll}>
          {t('选择全部 {count, number} 条', { count: total })}
        </Button>
      )}
      <Button type="link" size="small" onClick={clear}>
        {t('取消选择')}
      </Button>
      {selection.actions(rows, clear, all)}
      {onExport && (
        <Button type="text" icon={<DownloadOutlined />} onClick={() => onExport(rows)}>
          {t('导出所选')}
        </Button>
      )}
    </div>
  )
}

interface DownloadProps<T extends object> {
  page: Pick<ListPageProps<T, never>, 'exportName' | 'tree'>
  rows: readonly T[]
  exporting: ReturnType<typeof useListExport<T>>
}

function Download<T extends object>({ page, rows, exporting }: DownloadProps<T>) {
  if (!page.exportName) return null
  if (!page.tree) return <ExportButton type="text" onPick={exporting.exportList} />
  const save = () => exporting.exportRows(flattenRows(rows))
  return <Button type="text" icon={<DownloadOutlined />} aria-label={t('导出')} onClick={save} />
}

/** The button for a new one stands behind the others, and in the middle while there is none. */
function withCreate<T extends object, F>({ create, extra, empty }: ListPageProps<T, F>) {
  if (!create) return { extra, empty }
  const { text, ...act } = create
  const button = (
    <ActButton type="primary" icon={<PlusOutlined />} {...act}>
      {text}
    </ActButton>
  )
  return {
    extra: (
      <>
        {extra}
        {button}
      </>
    ),
    empty: { ...empty, action: button },
  }
}

/**
 * The list screen: heading, counters, query form, toolbar, table (cards on a phone), paging, and every state of them.
 * Page, size, sort and filters live in the URL; rows come from the given query. A list with a toolbar or filters of its
 * own puts `useList` and `ListRows` together instead.
 */
export function ListPage<T extends object, F = Record<string, unknown>>(props: ListPageProps<T, F>) {
  const { title, columns, rowKey, embedded = false } = props
  const phone = usePhone()
  const may = useMay()
  // Nobody is shown a box to tick for which he has no act.
  const selection = props.selection?.needs?.some(may) === false ? undefined : props.selection
  const list = useList(props)
  const { state, result, fields, rows, total = 0 } = list
  const keyOf = useCallback((row: T) => (typeof rowKey === 'function' ? rowKey(row) : String(row[rowKey])), [rowKey])
  const { shown, popover } = useColumns(columns, props.storageKey)
  const exporting = useListExport({
    title: props.exportName ?? title,
    columns: shown,
    query: (page) => props.query({ page, filters: list.filters }),
    orders: list.orders,
    rows,
  })
  const { extra, empty } = withCreate(props)
  const picked = useSelection(keyOf, rows, JSON.stringify(state.filters))
  const { chosen, all } = picked
  const search = (values: FilterTexts) => {
    picked.clear()
    list.search(values)
  }
  const bar = selection && chosen.size > 0 && (
    <SelectionBar
      selection={selection}
      picked={picked}
      total={total}
      moreToPick={offersAll(rows.map(keyOf), chosen, total, phone)}
      onExport={props.exportName ? exporting.exportRows : undefined}
    />
  )
  return (
    <div className={phone ? 'list-page list-page-phone' : 'list-page'}>
      {!embedded && <PageHeading title={title} subtitle={phone ? undefined : props.subtitle} extra={extra} />}
      {props.counters && (
        <Counters
          counters={props.counters}
          filters={state.filters}
          onPick={(filter) => search({ ...state.filters, ...filter })}
        />
      )}
      {fields.length > 0 && (
        <FilterForm
          listName={embedded ? title : undefined}
          fields={fields}
          values={state.filters}
          phone={phone}
          activeCount={list.active.length}
          onSearch={search}
          onReset={() => search(initialTexts(fields))}
        />
      )}
      <div className={phone ? 'list-plain' : 'list-card'}>
        <ListToolbar
          left={props.toolbar}
          selection={bar}
          extra={props.toolbarExtra}
          updatedAt={result.dataUpdatedAt}
          refreshing={result.isFetching}
          onRefresh={list.refresh}
          download={total > 0 && chosen.size === 0 && <Download page={props} rows={rows} exporting={exporting} />}
          columns={popover}
          phone={phone}
          total={list.total}
        />
        <ListRows
          list={list}
          page={{ ...props, empty }}
          columns={shown}
          cardColumns={columns}
          keyOf={keyOf}
          selected={selection && new Set(all ? rows.map(keyOf) : chosen.keys())}
          onSelect={picked.pick}
          onSearch={search}
        />
      </div>
    </div>
  )
}
