import { DownOutlined, FilterOutlined, SearchOutlined, UpOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Badge, Button, Drawer, Input } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { inSentence } from '#kit/in-sentence.ts'
import { useMemo } from '#language/use-memo.ts'
import { FilterControl } from './filter-control.tsx'
import { type FilterTexts, initialTexts } from './filter-values.ts'
import type { FilterField } from './list-contract.ts'

export interface FilterFormProps {
  fields: readonly FilterField[]
  values: FilterTexts
  /** Enter or 查询: also with unchanged values, which reads again. */
  onSearch: (values: FilterTexts) => void
  onReset: () => void
  phone: boolean
  activeCount: number
  /** A list inside of another page, so that its form has a name of its own. */
  listName?: string | undefined
}

/** A time is chosen with one click, as in charts; in the drawer of a phone everything waits for 查询. */
const searchesAtOnce = (field: FilterField) => field.control === 'time' || field.atOnce === true

/** The draft follows the URL (Back, a removed tag, a counter) but typing does not search before 查询 or Enter. */
function useDraft(values: FilterTexts) {
  const seen = useMemo(() => JSON.stringify(values), [values])
  const [draft, setDraft] = useState({ seen, values })
  if (draft.seen !== seen) setDraft({ seen, values })
  const current = draft.seen === seen ? draft.values : values
  const change = (name: string, value: string | undefined) => {
    const { [name]: _, ...rest } = current
    const next = value === undefined ? rest : { ...rest, [name]: value }
    setDraft({ seen, values: next })
    return next
  }
  /** What was typed but not searched for goes too. */
  const drop = (to: FilterTexts) => setDraft({ seen, values: to })
  return [current, change, drop] as const
}

export function FilterForm(props: FilterFormProps) {
  return props.phone ? <PhoneFilters {...props} /> : <DesktopFilters {...props} />
}

function DesktopFilters({ fields, values, onSearch, onReset, listName = '' }: FilterFormProps) {
  const id = useId()
  const [draft, change, drop] = useDraft(values)
  const hasAdvanced = fields.some((field) => field.advanced)
  const [open, setOpen] = useState(() => fields.some((field) => field.advanced && values[field.name] !== undefined))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(draft)
  }
  return (
    <form
      className="list-card flex gap-16 pad-12-16"
      onSubmit={submit}
      aria-label={t('{listName}查询条件', { listName })}
    >
      <div className="flex wrap grow" style={{ gap: '12px 24px' }}>
        {fields
          .filter((field) => open || !field.advanced)
          .map((field) => (
            <div key={field.name} className="filter-field row gap-8">
              <label htmlFor={`${id}-${field.name}`}>{t(field.label)}</label>
              <FilterControl
                id={`${id}-${field.name}`}
                field={field}
                value={draft[field.name]}
                onChange={(value) => {
                  const next = change(field.name, value)
                  if (searchesAtOnce(field)) onSearch(next)
                }}
                full={false}
              />
            </div>
          ))}
      </div>
      <div className="filter-buttons flex fixed gap-4">
        <Button htmlType="submit">{t('查询')}</Button>
        <Button
          type="text"
          onClick={() => {
            drop(initialTexts(fields))
            onReset()
          }}
        >
          {t('重置')}
        </Button>
        {hasAdvanced && (
          <Button type="text" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('收起') : t('展开')}
            {open ? <UpOutlined className="filter-caret" /> : <DownOutlined className="filter-caret" />}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The first text field stays in sight, the rest are in a drawer behind 筛选 (look.md "Phone"). */
function PhoneFilters({ fields, values, onSearch, onReset, activeCount, listName = '' }: FilterFormProps) {
  const id = useId()
  const [draft, change, drop] = useDraft(values)
  const [open, setOpen] = useState(false)
  const quick = fields.find((field) => field.control === 'text')
  const rest = fields.filter((field) => field !== quick)
  const search = () => {
    setOpen(false)
    onSearch(draft)
  }
  return (
    <form
      className="phone-filters below-8 flex gap-8"
      aria-label={t('{listName}查询条件', { listName })}
      onSubmit={(event) => {
        event.preventDefault()
        search()
      }}
    >
      {quick && (
        <Input
          size="large"
          prefix={<SearchOutlined />}
          allowClear
          type="search"
          enterKeyHint="search"
          aria-label={t(quick.label)}
          placeholder={t(quick.placeholder ?? '输入{label}', { label: inSentence(t(quick.label)) })}
          value={draft[quick.name] ?? ''}
          onChange={(event) => change(quick.name, event.target.value || undefined)}
        />
      )}
      {rest.length > 0 && (
        <Badge count={activeCount} size="small">
          <Button size="large" icon={<FilterOutlined />} onClick={() => setOpen(true)}>
            {t('筛选')}
          </Button>
        </Badge>
      )}
      <Drawer
        title={t('筛选')}
        open={open}
        onClose={() => setOpen(false)}
        placement="bottom"
        size="80%"
        closable={{ placement: 'end' }}
        footer={
          <div className="gap-12 grid" style={{ gridTemplateColumns: '1fr 2fr' }}>
            <Button
              size="large"
              onClick={() => {
                setOpen(false)
                drop(initialTexts(fields))
                onReset()
              }}
            >
              {t('重置')}
            </Button>
            <Button size="large" type="primary" onClick={search}>
              {t('查询')}
            </Button>
          </div>
        }
      >
        {rest.map((field) => (
          <div key={field.name} className="phone-filter-field below-16 column gap-6">
            <label htmlFor={`${id}-${field.name}`}>{t(field.label)}</label>
            <FilterControl
              id={`${id}-${field.name}`}
              field={field}
              value={draft[field.name]}
              onChange={(value) => change(field.name, value)}
              full
            />
          </div>
        ))}
      </Drawer>
    </form>
  )
}
