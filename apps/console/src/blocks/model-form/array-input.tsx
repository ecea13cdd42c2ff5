import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { startValue } from './example-value.ts'
import { ValueIssue } from './value-field.tsx'
import { type GroupInputProps, isGroup, partOf } from './value-input-props.ts'

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

export function ArrayInput({ renderValue, ...props }: GroupInputProps) {
  const { define, value, onChange, label, issues, path = '', disabled } = props
  const items: unknown[] = Array.isArray(value) ? value : []
  const rows = useRowKeys(items.length)
  const element = define.arrayInfo
  if (!element) return null
  return (
    <fieldset className="value-group" aria-label={label}>
      {rows.keys.map((key, index) => {
        const name = `${label}[${index}]`
        const part = partOf(props, index, {
          define: element,
          value: items[index],
          label: name,
          onChange: (item) => onChange(items.map((one, at) => (at === index ? item : one))),
        })
        return (
          <div key={key} className="value-row flex top gap-8">
            <span className="value-index small quiet">{index}</span>
            <div className="grow shrink">
              {renderValue(part)}
              {!isGroup(element) && <ValueIssue id={part.id} text={issues?.get(part.path ?? '')} />}
            </div>
            <Button
              type="text"
              icon={<DeleteOutlined />}
              disabled={disabled}
              aria-label={`移除 ${name}`}
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
        className="value-add"
        onClick={() => onChange([...items, startValue(element, Date.now())])}
      >
        添加一个元素
      </Button>
      <ValueIssue id={undefined} text={issues?.get(path)} />
    </fieldset>
  )
}
