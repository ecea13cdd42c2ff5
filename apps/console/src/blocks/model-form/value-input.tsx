/** A control for any definition of a thing model. Struct and array hold controls of the same kind. */

import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define, type Param } from '@ithings/contract/thing-model/define.ts'
import { Button, DatePicker, Input, InputNumber, Radio, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { rangeText } from './define-summary.ts'
import { startValue } from './example-value.ts'
import { issueID, ValueField, ValueIssue } from './value-field.tsx'
import { under, type ValueIssues } from './value-issues.ts'

interface ValueInputProps {
  define: Define
  /** As it goes over the wire; undefined: not given. */
  value: unknown
  onChange: (value: unknown) => void
  /** Names the control for those who cannot see its place. */
  label: string
  /** Of the control; members and elements derive theirs from it. */
  id: string
  issues?: ValueIssues | undefined
  /** Its place in `issues`. */
  path?: string
  disabled?: boolean | undefined
}

/** Struct and array have no single control that a label could point to. */
export const isGroup = (define: Define): boolean => define.type === DataType.struct || define.type === DataType.array

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
          className="wide"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('请选择')}
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
          className="wide"
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
          placeholder={t('最长 {max} 字节', { max: define.max, context: 'hint' })}
          onChange={(event) => onChange(event.target.value)}
        />
      )
    case DataType.timestamp:
      return (
        <DatePicker
          {...own}
          className="wide"
          showTime
          value={typeof value === 'number' ? dayjs.unix(value) : null}
          onChange={(time) => onChange(time ? time.unix() : undefined)}
        />
      )
    case DataType.struct:
      return <StructInput {...props} />
    case DataType.array:
      return <ArrayInput {...props} />
  }
}

const groupClass = 'value-group column shrink bare gap-12'

interface MemberFieldsProps extends Pick<ValueInputProps, 'id' | 'path' | 'issues' | 'disabled'> {
  members: readonly Param[]
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
}

/** A field for each member; one that is emptied leaves the object: missing members are allowed (thing-model.md 4). */
function MemberFields({ members, values, onChange, id, path = '', issues, disabled }: MemberFieldsProps) {
  return members.map(({ identifier, name, define }) => {
    const own = { id: `${id}-${identifier}`, path: under(path, identifier), issues, disabled }
    const group = isGroup(define)
    const { [identifier]: _, ...others } = values
    return (
      <ValueField
        key={identifier}
        label={name}
        hint={identifier}
        htmlFor={group ? undefined : own.id}
        issue={group ? undefined : issues?.get(own.path)}
      >
        <ValueInput
          {...own}
          define={define}
          label={name}
          value={values[identifier]}
          onChange={(value) => onChange(value === undefined ? others : { ...values, [identifier]: value })}
        />
      </ValueField>
    )
  })
}

/** One control for each parameter: the input of an action, the properties of a command. */
export const MemberForm = (props: MemberFieldsProps) => (
  <div className={groupClass}>
    <MemberFields {...props} />
  </div>
)

function StructInput({ define, value, label, ...rest }: ValueInputProps) {
  const members = (define.specs ?? []).map((spec) => ({ ...spec, define: spec.dataType }))
  return (
    <fieldset className={groupClass} aria-label={label}>
      <MemberFields {...rest} members={members} values={isRecord(value) ? value : {}} />
      <ValueIssue id={undefined} text={rest.issues?.get(rest.path ?? '')} />
    </fieldset>
  )
}

/** Elements have no name: each row gets a key of its own, so that removing one does not hand its focus to the next. */
function useRowKeys(length: number) {
  const [state, setState] = useState<{ keys: number[]; next: number }>({ keys: [], next: 0 })
  let { keys, next } = state
  if (keys.length !== length) {
    keys = keys.slice(0, length)
    while (keys.length < length) keys.push(next++)
    setState({ keys, next })
  }
  const remove = (index: number) => setState({ keys: keys.filter((_, at) => at !== index), next })
  return { keys, remove }
}

function ArrayInput({ define, value, onChange, label, id, issues, path = '', disabled }: ValueInputProps) {
  const items: unknown[] = Array.isArray(value) ? value : []
  const rows = useRowKeys(items.length)
  const element = define.arrayInfo
  if (!element) return null
  return (
    <fieldset className={groupClass} aria-label={label}>
      {rows.keys.map((key, index) => {
        const name = `${label}[${index}]`
        const own = { id: `${id}-${index}`, path: under(path, index), issues, disabled }
        return (
          <div key={key} className="value-row flex top gap-8">
            <span className="value-index end small quiet">{index}</span>
            <div className="grow shrink">
              <ValueInput
                {...own}
                define={element}
                label={name}
                value={items[index]}
                onChange={(item) => onChange(items.map((one, at) => (at === index ? item : one)))}
              />
              {!isGroup(element) && <ValueIssue id={own.id} text={issues?.get(own.path)} />}
            </div>
            <Button
              type="text"
              icon={<DeleteOutlined />}
              disabled={disabled}
              aria-label={t('移除 {name}', { name })}
              onClick={() => {
                rows.remove(index)
                onChange(items.filter((_, at) => at !== index))
              }}
            />
          </div>
        )
      })}
      <Button
        type="link"
        size="small"
        icon={<PlusOutlined />}
        disabled={disabled}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => onChange([...items, startValue(element, Date.now())])}
      >
        {t('添加一个元素')}
      </Button>
      <ValueIssue id={undefined} text={issues?.get(path)} />
    </fieldset>
  )
}
