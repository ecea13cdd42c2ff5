import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { createSchema, importTsl, type SchemaItem } from '@ithings/contract/features/thing-model.ts'
import { t } from '@ithings/contract/text.ts'
import { FunctionType, functionTypeLabels } from '@ithings/contract/thing-model/model.ts'
import { useCallback } from 'react'
import type { FilterTexts } from '#kit/list-page/filter-values.ts'
import type { EmptyText, FilterField, RowAction } from '#kit/list-page/list-contract.ts'
import { ListRows } from '#kit/list-page/list-rows.tsx'
import { useList } from '#kit/list-page/use-list.ts'
import { ActButton } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { functionColumns } from './function-columns.tsx'
import { addWords, emptyWords } from './function-words.ts'
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

const hints: Record<FunctionType, string> = {
  1: '属性是设备可读写的状态，例如压力、流量、开关。',
  2: '事件由设备主动上报，例如液位超限、市电中断。',
  3: '行为是一次调用，例如启动水泵，可以带参数和返回值。',
}

/** The list of the kit with a toolbar of its own: type, search and tools in one row, state in the URL. */
export function FunctionList({ productID, counts, rowActions, onEdit, onCreate, onPanel }: FunctionListProps) {
  const phone = usePhone()
  const list = useList<SchemaItem, FunctionSearch>({
    urlPrefix: 'model-',
    filters: fields,
    query: ({ page, filters }) => functionsQuery(productID, page, filters),
  })
  const { state, set, active } = list
  const { type, keyword = '' } = list.filters
  const show = useCallback(
    (texts: FilterTexts) => {
      const wanted = Object.entries(texts).filter(([, text]) => text !== '')
      set({ filters: Object.fromEntries(wanted), page: 1 }, { replace: true })
    },
    [set],
  )
  const searchText = useCallback((text: string) => show({ ...state.filters, keyword: text }), [show, state.filters])
  const columns = useMemo(() => functionColumns({ mixed: type === undefined, onOpen: onEdit }), [type, onEdit])
  const create = () => onCreate(type ?? FunctionType.property)

  return (
    <div className={phone ? 'list-page list-page-phone' : 'list-page'}>
      <div className={phone ? 'list-plain' : 'list-card'}>
        <ModelToolbar
          type={type === undefined ? '' : String(type)}
          onType={(next) => show({ ...state.filters, type: next })}
          keyword={keyword}
          onKeyword={searchText}
          counts={counts}
          onOpen={onPanel}
          onCreate={create}
        />
        <ListRows
          list={list}
          page={{ title: t('物模型'), rowActions, empty: emptyText(type, create, () => onPanel('import')) }}
          columns={columns}
          keyOf={keyOf}
          // A type without functions is an empty part of the model, not a search without a match.
          active={keyword === '' ? [] : active}
          onSearch={show}
        />
      </div>
    </div>
  )
}

function emptyText(type: FunctionType | undefined, create: () => void, openImport: () => void): EmptyText {
  return {
    title: type === undefined ? t('还没有功能') : t(emptyWords[type]),
    text:
      type === undefined
        ? t('物模型说明设备有哪些属性、事件和行为。新增一个，或导入已有的 tsl.json。')
        : t(hints[type]),
    action: (
      <span className="column gap-8">
        <ActButton needs={createSchema} type="primary" icon={<PlusOutlined />} onClick={create}>
          {type === undefined ? t('新增功能') : t(addWords[type])}
        </ActButton>
        <ActButton needs={importTsl} type="text" icon={<ImportOutlined />} onClick={openImport}>
          {t('导入物模型')}
        </ActButton>
      </span>
    ),
  }
}
