import { DatePicker, Input, Select } from 'antd'
import dayjs from 'dayjs'
import { isPreset, parseTimeChoice, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import type { FilterField } from './list-contract.ts'

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
  const placeholder = field.placeholder
  switch (field.control) {
    case 'text':
      return (
        <Input
          id={id}
          allowClear
          style={style}
          placeholder={placeholder ?? `输入${field.label}`}
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
          placeholder={placeholder ?? '全部'}
          value={value === undefined || value === '' ? undefined : value}
          options={(field.options ?? []).map((option) => ({ label: option.label, value: String(option.value) }))}
          onChange={(picked: string | undefined) => onChange(picked)}
        />
      )
    case 'date-range':
      return <RangeControl id={id} value={value} onChange={onChange} style={style} />
    case 'time':
      return (
        <TimeFilter
          value={value ? parseTimeChoice(value) : undefined}
          allowClear={field.initial === undefined}
          onChange={(choice) => onChange(choice && timeChoiceText(choice))}
        />
      )
    case 'custom':
      return <span style={style}>{field.render?.({ id, value, onChange })}</span>
  }
}

function RangeControl({ id, value, onChange, style }: Omit<FilterControlProps, 'field' | 'full'> & { style: object }) {
  const choice = value ? parseTimeChoice(value) : undefined
  const range = choice && !isPreset(choice) ? choice : undefined
  return (
    <DatePicker.RangePicker
      id={id}
      style={style}
      showTime={{ defaultValue: [dayjs().startOf('day'), dayjs().endOf('day')] }}
      value={range ? [dayjs(Number(range.timeStart)), dayjs(Number(range.timeEnd))] : null}
      onChange={(days) => {
        const [from, to] = days ?? []
        onChange(from && to ? `${from.valueOf()}~${to.valueOf()}` : undefined)
      }}
    />
  )
}
