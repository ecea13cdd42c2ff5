/** A control for any definition of a thing model. Struct and array hold controls of the same kind. */
import { DataType } from '@ithings/contract/thing-model/define.ts'
import { DatePicker, Input, InputNumber, Radio, Select } from 'antd'
import dayjs from 'dayjs'
import { ArrayInput } from './array-input.tsx'
import { rangeText } from './define-summary.ts'
import { StructInput } from './struct-input.tsx'
import { issueID } from './value-field.tsx'
import type { ValueInputProps } from './value-input-props.ts'

const choices = (mapping: Record<string, string> = {}) =>
  Object.entries(mapping)
    .map(([key, label]) => ({ value: Number(key), label: `${key} ${label}` }))
    .toSorted((one, other) => one.value - other.value)

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export function ValueInput(props: ValueInputProps) {
  const { define, value, onChange, label, id, issues, path = '', disabled } = props
  const issue = issues?.get(path)
  const own = {
    id,
    disabled,
    'aria-label': label,
    'aria-invalid': issue !== undefined,
    ...(issue !== undefined && { 'aria-describedby': issueID(id), status: 'error' as const }),
  }
  switch (define.type) {
    case DataType.bool:
      return (
        <Radio.Group
          id={id}
          disabled={disabled}
          optionType="button"
          className="flex wrap"
          aria-label={label}
          value={typeof value === 'boolean' ? value : undefined}
          options={choices(define.mapping).map((one) => ({ ...one, value: one.value === 1 }))}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case DataType.enum:
      return (
        <Select
          {...own}
          className="value-wide"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="请选择"
          value={asNumber(value) ?? undefined}
          options={choices(define.mapping)}
          onChange={(chosen?: number) => onChange(chosen)}
        />
      )
    case DataType.int:
    case DataType.float:
      // Limits are not enforced while typing: a value that is silently moved is worse than one that is refused.
      return (
        <InputNumber
          {...own}
          className="value-wide"
          value={asNumber(value)}
          step={Number(define.step ?? 0) || 1}
          suffix={define.unit}
          placeholder={rangeText({ ...define, unit: '' })}
          onChange={(number) => onChange(number ?? undefined)}
        />
      )
    case DataType.string:
      return (
        <Input
          {...own}
          value={typeof value === 'string' ? value : ''}
          placeholder={`最长 ${define.max} 字节`}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case DataType.timestamp:
      return (
        <DatePicker
          {...own}
          className="value-wide"
          showTime
          value={typeof value === 'number' ? dayjs.unix(value) : null}
          onChange={(time) => onChange(time ? time.unix() : undefined)}
        />
      )
    case DataType.struct:
      return <StructInput {...props} path={path} renderValue={renderValue} />
    case DataType.array:
      return <ArrayInput {...props} path={path} renderValue={renderValue} />
  }
}

/** Handed to the group controls, which would otherwise import this file in a ring. */
const renderValue = (props: ValueInputProps) => <ValueInput {...props} />
