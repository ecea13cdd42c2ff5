import { Input, Select } from 'antd'
import { lazy, Suspense } from 'react'
import type { FilterField } from './list-contract.ts'

const TimeControl = lazy(async () => ({ default: (await import('./time-controls.tsx')).TimeControl }))

interface FilterControlProps {
  id: string
  field: FilterField
  value: string | undefined
  onChange: (value: string | undefined) => void
  full: boolean
}

/** About what the presets and the range take: nothing jumps when they come. */
const timeWidth = 640
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
    case 'time':
      return (
        <Suspense
          fallback={<span className="filter-waiting" style={field.control === 'time' ? { width: timeWidth } : style} />}
        >
          <TimeControl
            id={id}
            value={value}
            onChange={onChange}
            presets={field.control === 'time'}
            allowClear={field.initial === undefined}
            style={style}
          />
        </Suspense>
      )
    case 'custom':
      return <span style={style}>{field.render?.({ id, value, onChange })}</span>
  }
}
