import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { createSchema, importTsl, type SchemaItem } from '@ithings/contract/features/products/schema.ts'
import { FunctionType, functionTypeLabels } from '@ithings/contract/thing-model/model.ts'
import { Button, Pagination } from 'antd'
import { useCallback, useMemo } from 'react'
import { ListBody } from '#kit/list-page/list-body.tsx'
import type { EmptyText, FilterField, ListPageProps, RowAction } from '#kit/list-page/list-contract.ts'
import '#kit/list-page/list-page.css'
import '#kit/list-page/list-page-phone.css'
import { ListSkeleton } from '#kit/list-page/list-skeleton.tsx'
import { ListTable } from '#kit/list-page/list-table.tsx'
import { RowCards } from '#kit/list-page/row-cards.tsx'
import { useList } from '#kit/list-page/use-list.ts'
import { pageSizes, usePreferences } from '#kit/preferences.tsx'
import { May, useHeld } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { functionColumns } from './function-columns.tsx'
import { type ModelPanel, ModelToolbar } from './model-toolbar.tsx'
import { type FunctionSearch, functionsQuery } from './queries.ts'

interface FunctionListProps {
  productID: string
  counts: Readonly<Record<string, number>> | undefined
  rowActions: (item: SchemaItem) => RowAction[]
  onEdit: (item: SchemaItem) => void
  onCreate: (type: FunctionType) => void
  onPanel: (panel: ModelPanel) => void
}

const types = Object.values(FunctionType)
const fields: FilterField[] = [
  {
    name: 'type',
    label: '功能类型',
    control: 'select',
    options: types.map((value) => ({ value, label: functionTypeLabels[value] })),
  },
  { name: 'keyword', label: '名称或标识符', control: 'text' },
]
const keyOf = (item: SchemaItem) => item.identifier
const nothing = () => undefined

const hints: Record<FunctionType, string> = {
  1: '属性是设备可读写的状态，例如压力、流量、开关。',
  2: '事件由设备主动上报，例如液位超限、市电中断。',
  3: '行为是一次调用，例如启动水泵，可以带参数和返回值。',
}

/** The list of the kit with a toolbar of its own: type, search and tools in one row, state in the URL. */
export function FunctionList({ productID, counts, rowActions, onEdit, onCreate, onPanel }: FunctionListProps) {
  const phone = usePhone()
  const held = useHeld()
  const { density } = usePreferences()
  const page: ListPageProps<SchemaItem, FunctionSearch> = {
    title: '物模型',
    storageKey: 'product-model',
    rowKey: 'identifier',
    urlPrefix: 'model-',
    filters: fields,
    columns: [],
    query: ({ page: paging, filters }) => functionsQuery(productID, paging, filters),
    rowActions,
    empty: { title: '' },
  }
  const { state, set, filters, result, active } = useList(page)
  const { type, keyword = '' } = filters
  const search = useCallback(
    (patch: Record<string, string>) => {
      const wanted = Object.entries({ ...state.filters, ...patch }).filter(([, text]) => text !== '')
      set({ filters: Object.fromEntries(wanted), page: 1 }, { replace: true })
    },
    [state.filters, set],
  )
  const searchText = useCallback((text: string) => search({ keyword: text }), [search])
  const columns = useMemo(() => functionColumns({ mixed: type === undefined, onOpen: onEdit }), [type, onEdit])

  const forbidden = result.isError && describeError(result.error).kind === 'forbidden'
  const rows = (forbidden ? undefined : result.data?.list) ?? []
  const total = result.data?.total ?? 0
  const hasActions = rows.some((row) => held(rowActions(row)).length > 0)
  const refresh = () => void result.refetch()
  const create = () => onCreate(type ?? FunctionType.property)

  return (
    <div className={phone ? 'list-page list-page-phone' : 'list-page'}>
      <div className={phone ? 'list-plain' : 'list-card'}>
        <ModelToolbar
          type={type === undefined ? '' : String(type)}
          onType={(next) => search({ type: next })}
          keyword={keyword}
          onKeyword={searchText}
          counts={counts}
          onOpen={onPanel}
          onCreate={create}
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
          subject="物模型"
          error={result.error}
          failed={forbidden || (result.isError && !result.isRefetchError)}
          fetching={result.isFetching}
          onRetry={refresh}
          forbiddenHelp={undefined}
          loading={result.isPending}
          skeleton={<ListSkeleton columns={columns.length + 1} rows={state.size} phone={phone} />}
          empty={rows.length === 0}
          emptyText={emptyText(type, create, () => onPanel('import'))}
          // A type without functions is an empty part of the model, not a search without a match.
          active={keyword === '' ? [] : active}
          onRemoveFilter={(name) => search({ [name]: '' })}
          onClearFilters={() => search({ keyword: '', type: '' })}
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
                tree={false}
                rowActions={hasActions ? rowActions : undefined}
                expandable={undefined}
                selected={undefined}
                onSelect={nothing}
              />
            ) : (
              <ListTable
                rows={rows}
                columns={columns}
                keyOf={keyOf}
                page={page}
                rowActions={hasActions ? rowActions : undefined}
                sort={undefined}
                onSort={nothing}
                size={density}
                firstIndex={1}
                selected={undefined}
                onSelectRows={nothing}
              />
            )}
          </div>
        </ListBody>
        {rows.length > 0 && (
          <div className="list-pagination">
            {!phone && <span className="list-total quiet">共 {total.toLocaleString()} 条</span>}
            <Pagination
              size={phone ? undefined : 'small'}
              simple={phone}
              current={state.page}
              pageSize={state.size}
              total={total}
              showSizeChanger={!phone}
              pageSizeOptions={pageSizes.map(String)}
              onChange={(next, size) => set(size === state.size ? { page: next } : { page: 1, size })}
            />
          </div>
        )}
      </div>
    </div>
  )
}

function emptyText(type: FunctionType | undefined, create: () => void, openImport: () => void): EmptyText {
  const name = type === undefined ? '功能' : functionTypeLabels[type]
  return {
    title: `还没有${name}`,
    text: type === undefined ? '物模型说明设备有哪些属性、事件和行为。新增一个，或导入已有的 tsl.json。' : hints[type],
    action: (
      <span className="model-empty">
        <May needs={createSchema}>
          <Button type="primary" icon={<PlusOutlined />} onClick={create}>
            新增{name}
          </Button>
        </May>
        <May needs={importTsl}>
          <Button type="text" icon={<ImportOutlined />} onClick={openImport}>
            导入物模型
          </Button>
        </May>
      </span>
    ),
  }
}
