import { FilterOutlined, SearchOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Badge, Button, Drawer, Input, Popover, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import type { FilterTexts } from '#kit/list-page/filter-values.ts'
import { numberText } from '#kit/number-text.ts'
import { usePhone } from '#kit/use-phone.ts'
import { panelNames, type QueueTab, tabOf } from '../../queue-filter.ts'
import { FilterPanel } from './filter-panel.tsx'
import type { RecordCount } from './level-counters.tsx'

interface QueueToolbarProps {
  values: FilterTexts
  count: RecordCount | undefined
  onChange: (values: FilterTexts) => void
}

const longestKeyword = 64

/** Typing does not search before Enter; what the URL says otherwise (Back, a cleared filter) is shown. */
function Keyword({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <Input
      className="queue-keyword"
      type="search"
      enterKeyHint="search"
      prefix={<SearchOutlined />}
      allowClear
      maxLength={longestKeyword}
      aria-label={t('关键字')}
      placeholder={t('告警名称、设备')}
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value)
        if (event.target.value === '') onSearch('')
      }}
      onPressEnter={() => onSearch(typed.trim())}
    />
  )
}

export function QueueToolbar({ values, count, onChange }: QueueToolbarProps) {
  const phone = usePhone()
  const [open, setOpen] = useState(false)
  const active = panelNames.filter((name) => values[name] !== undefined).length
  const label = (text: string, amount: number | undefined) =>
    amount === undefined ? text : `${text} ${numberText(amount)}`
  const panel = (
    <FilterPanel
      key={JSON.stringify(values)}
      values={values}
      onApply={(next) => {
        setOpen(false)
        onChange(next)
      }}
    />
  )
  const button = (
    <Button
      icon={<FilterOutlined />}
      aria-expanded={open}
      size={phone ? 'large' : 'middle'}
      {...(phone && { onClick: () => setOpen(true) })}
    >
      {t('筛选')}
      {!phone && active > 0 && ` ${active}`}
    </Button>
  )
  return (
    <div className="queue-toolbar line-bottom row wrap gap-8" role="toolbar" aria-label={t('告警队列')}>
      <Segmented<QueueTab>
        aria-label={t('范围')}
        value={tabOf(values.tab)}
        onChange={(tab) => onChange({ ...values, tab })}
        options={[
          { value: 'open', label: label(t('未处理'), count?.open) },
          { value: 'mine', label: label(t('我认领的'), count?.mine) },
          { value: 'all', label: t('全部') },
        ]}
      />
      <Keyword
        value={values.keyword ?? ''}
        onSearch={(keyword) => {
          const { keyword: _, ...rest } = values
          onChange(keyword ? { ...rest, keyword } : rest)
        }}
      />
      {phone ? (
        <>
          <Badge count={active} size="small">
            {button}
          </Badge>
          <Drawer
            title={t('筛选')}
            placement="bottom"
            size="80%"
            open={open}
            onClose={() => setOpen(false)}
            closable={{ placement: 'end' }}
          >
            {panel}
          </Drawer>
        </>
      ) : (
        <Popover
          trigger="click"
          placement="bottomRight"
          open={open}
          onOpenChange={setOpen}
          destroyOnHidden
          content={panel}
        >
          {button}
        </Popover>
      )}
    </div>
  )
}
