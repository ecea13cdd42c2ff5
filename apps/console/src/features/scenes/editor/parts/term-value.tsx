import { readTermValue } from '@ithings/contract/rules/terms.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import { DatePicker, Input, InputNumber, Select } from 'antd'
import dayjs from 'dayjs'
import { rangeText } from '#blocks/model-form/define-summary.ts'

const stateOptions = (mapping: Record<string, string> = {}) =>
  Object.entries(mapping)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([value, label]) => ({ value, label: `${value} ${label}` }))

/** Existing scenes write true, 1, T …; the switch has two states. */
const boolKey = (text: string): string => {
  const value = readTermValue(DataType.bool, text)
  return value === undefined ? text : value ? '1' : '0'
}

interface TermValueProps {
  define: Define | undefined
  label: string
  text: string
  onChange: (text: string) => void
}

/** One value of a comparison. It travels as text, whatever its type. */
export function TermValue({ define, label, text, onChange }: TermValueProps) {
  switch (define?.type) {
    case DataType.int:
    case DataType.float:
      return (
        <InputNumber<string>
          stringMode
          aria-label={label}
          className="scene-wide"
          status={text === '' || readTermValue(define.type, text) !== undefined ? '' : 'warning'}
          value={text}
          step={define.step ?? '1'}
          // As it was written: 80, not 80.0 because of the step.
          formatter={(value) => String(value ?? '')}
          suffix={define.unit}
          placeholder={rangeText({ ...define, unit: '' })}
          onChange={(value) => onChange(value === null ? '' : String(value))}
        />
      )
    case DataType.enum:
      return (
        <Select
          aria-label={label}
          placeholder="选择取值"
          popupMatchSelectWidth={false}
          value={text || null}
          options={stateOptions(define.mapping)}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={onChange}
        />
      )
    case DataType.bool:
      return (
        <Select
          aria-label={label}
          placeholder="选择状态"
          popupMatchSelectWidth={false}
          value={text === '' ? null : boolKey(text)}
          options={stateOptions(define.mapping)}
          onChange={(key) => onChange(key === '1' ? 'true' : 'false')}
        />
      )
    case DataType.timestamp:
      return (
        <DatePicker
          aria-label={label}
          className="scene-wide"
          showTime
          value={text === '' || Number.isNaN(Number(text)) ? null : dayjs.unix(Number(text))}
          onChange={(time) => onChange(time ? String(time.unix()) : '')}
        />
      )
    default:
      return (
        <Input
          aria-label={label}
          maxLength={256}
          placeholder="比较值"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

interface TermListProps {
  define: Define | undefined
  values: string[]
  onChange: (values: string[]) => void
}

/** Any of these: states are chosen, everything else is typed and parted by blanks or commas. */
export function TermList({ define, values, onChange }: TermListProps) {
  const states = define?.type === DataType.enum
  return (
    <Select
      aria-label="取值列表"
      mode={states ? 'multiple' : 'tags'}
      className="scene-wide"
      placeholder={states ? '选择取值' : '输入后回车，可多个'}
      maxCount={100}
      tokenSeparators={[',', '，', ' ', ';']}
      value={values.filter((one) => one !== '')}
      options={states ? stateOptions(define.mapping) : []}
      onChange={onChange}
    />
  )
}
