import { t } from '@ithings/contract/text.ts'
import { DataType, dataTypeLabels } from '@ithings/contract/thing-model/define.ts'
import { maxDepth } from '@ithings/contract/thing-model/limits.ts'
import { Radio, Select } from 'antd'
import '#blocks/apart-buttons.css'
import { useEditField } from './edit-field.tsx'

/** The usual ones first. */
const order: readonly DataType[] = [
  DataType.bool,
  DataType.int,
  DataType.float,
  DataType.string,
  DataType.enum,
  DataType.timestamp,
  DataType.struct,
  DataType.array,
]

interface TypeChoiceProps {
  path: string
  value: DataType
  onChange: (type: DataType) => void
  label: string
}

/** The type of a property: eight buttons, since everything else depends on it. */
export function TypeButtons({ value, onChange, label, path }: TypeChoiceProps) {
  const { control } = useEditField(path)
  return (
    <Radio.Group
      className="type-buttons apart-buttons gap-8"
      optionType="button"
      aria-label={label}
      value={value}
      disabled={control.disabled}
      options={order.map((type) => ({ value: type, label: t(dataTypeLabels[type]) }))}
      onChange={(event) => onChange(event.target.value as DataType)}
    />
  )
}

/** The type of a member, parameter or element; at the deepest level nothing can hold something else. */
export function TypeSelect({ value, onChange, label, path, depth }: TypeChoiceProps & { depth: number }) {
  const { control } = useEditField(path)
  const deepest = depth >= maxDepth
  const types = order.filter((type) => !deepest || (type !== DataType.struct && type !== DataType.array))
  return (
    <Select
      {...control}
      aria-label={label}
      className="wide"
      value={value}
      options={types.map((type) => ({ value: type, label: t(dataTypeLabels[type]) }))}
      onChange={onChange}
    />
  )
}
