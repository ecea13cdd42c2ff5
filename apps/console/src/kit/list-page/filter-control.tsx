import { t } from '@ithings/contract/text.ts'
import { Input, Select } from 'antd'
import dayjs from 'dayjs'
import { lazy, Suspense } from 'react'
import { inSentence } from '#kit/in-sentence.ts'
import { stateText } from '#kit/status-tag.tsx'
import { parseTimeChoice, type TimeChoice, timeChoiceText } from '../time-choice.ts'
import { TimeFilter } from '../time-filter.tsx'
import type { FilterField } from './list-contract.ts'

const TimeRange = lazy(async () => ({ default: (await import('../time-range.tsx')).TimeRange }))

interface FilterControlProps {
  id: string
  field: FilterField
  value: string | undefined
  onChange: (value: string | undefined) => void
  full: boolean
}

const widths = { text: 208, select: 136, 'date-range': 360, time: undefined, custom: 208 } as const

/** One control of the query form. Values are the strings of the URL, so every control speaks the same. */
export function FilterControl({ id, field, value, onChange, full }: FilterControlProps) {
  const style = { width: full ? '100%' : (field.width ?? widths[field.control]) }
  const placeholder = field.placeholder && t(field.placeholder)
  const choose = (choice: TimeChoice | undefined) => onChange(choice && timeChoiceText(choice))
  switch (field.control) {
    case 'text':
      return (
        <Input
          id={id}
          allowClear
          style={style}
          placeholder={placeholder ?? t('输入{label}', { label: inSentence(t(field.label)) })}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      )
    case 'select':
      return (
        <Select
          id={id}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          style={style}
          placeholder={placeholder ?? t('全部')}
          value={value === undefined || value === '' ? undefined : value}
          options={(field.options ?? []).map((option) => ({
            label: stateText(option.label),
            value: String(option.value),
          }))}
          onChange={(picked: string | undefined) => onChange(picked)}
        />
      )
    case 'date-range':
      return (
        <Suspense fallback={<span className="filter-waiting inline-block fit" style={style} />}>
          <TimeRange
            id={id}
            style={style}
            showTime={{ defaultValue: [dayjs().startOf('day'), dayjs().endOf('day')] }}
            value={parseTimeChoice(value ?? '')}
            onChange={choose}
          />
        </Suspense>
      )
    case 'time':
      return (
        <TimeFilter value={parseTimeChoice(value ?? '')} allowClear={field.initial === undefined} onChange={choose} />
      )
    case 'custom':
      return <span style={style}>{field.render?.({ id, value, onChange })}</span>
  }
}
