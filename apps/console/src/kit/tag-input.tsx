import { PlusOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Input, Tag } from 'antd'
import { useState } from 'react'
import './parts.css'

export interface KeyValue {
  key: string
  value: string
}

export const maxTags = 10

/**
 * Why a tag cannot be added, or undefined.
 * @param anyValue a tag without a value means one with any value
 */
export function refuseTag(tags: readonly KeyValue[], { key, value }: KeyValue, anyValue = false): string | undefined {
  if (key === '' && anyValue) return t('键不能为空')
  if (key === '' || (value === '' && !anyValue)) return t('键和值都要填写')
  if (tags.some((tag) => tag.key === key)) return t('键 {key} 已存在', { key })
  if (tags.length >= maxTags) return t('最多 {max} 个标签', { max: maxTags })
  return undefined
}

/** Accepts a pasted `k:v`; the key field then fills both. */
export function splitTag(key: string, value: string): KeyValue {
  const at = key.search(/[:：]/)
  if (value === '' && at > 0) return { key: key.slice(0, at).trim(), value: key.slice(at + 1).trim() }
  return { key: key.trim(), value: value.trim() }
}

/** The text of a filter: `k1:v1;k2:v2` (screens.md 0.3). */
export const tagsText = (tags: readonly KeyValue[]): string => tags.map((tag) => `${tag.key}:${tag.value}`).join(';')

export const parseTags = (text: string): KeyValue[] =>
  text
    .split(';')
    .map((part) => splitTag(part, ''))
    .filter((tag) => tag.key !== '' && tag.value !== '')

export interface TagInputProps {
  value?: readonly KeyValue[] | undefined
  onChange?: (tags: KeyValue[]) => void
  disabled?: boolean
  id?: string
  /** Tags that are looked for: one without a value means any value. */
  anyValue?: boolean
}

/** Key and value tags, at most ten, keys unique; Enter adds. */
export function TagInput({ value = [], onChange, disabled, id, anyValue = false }: TagInputProps) {
  const [key, setKey] = useState('')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = () => {
    const tag = splitTag(key, text)
    const refusal = refuseTag(value, tag, anyValue)
    setProblem(refusal)
    if (refusal !== undefined) return
    onChange?.([...value, tag])
    setKey('')
    setText('')
  }
  const full = value.length >= maxTags
  return (
    <div className="tag-input column gap-8">
      {value.length > 0 && (
        <div className="flex wrap gap-8">
          {value.map((tag) => (
            <Tag
              key={tag.key}
              closable={!disabled}
              onClose={(event) => {
                event.preventDefault()
                onChange?.(value.filter((one) => one.key !== tag.key))
                setProblem(undefined)
              }}
            >
              {t('{key}：{value}', { key: tag.key, value: tag.value || t('任意值') })}
            </Tag>
          ))}
        </div>
      )}
      {!disabled && (
        <div className="tag-input-row flex wrap gap-8">
          <Input
            id={id}
            aria-label={t('标签键')}
            placeholder={t('键')}
            value={key}
            maxLength={32}
            disabled={full}
            status={problem === undefined ? '' : 'error'}
            onChange={(event) => setKey(event.target.value)}
            onPressEnter={(event) => {
              event.preventDefault()
              add()
            }}
          />
          <Input
            aria-label={t('标签值')}
            placeholder={anyValue ? t('任意值', { context: 'field' }) : t('值')}
            value={text}
            maxLength={64}
            disabled={full}
            onChange={(event) => setText(event.target.value)}
            onPressEnter={(event) => {
              event.preventDefault()
              add()
            }}
          />
          <Button icon={<PlusOutlined />} aria-label={t('添加标签')} disabled={full} onClick={add} />
        </div>
      )}
      <span className={problem ? 'error-text small line-20' : 'meta'} role={problem ? 'alert' : undefined}>
        {problem ?? `${value.length} / ${maxTags}`}
      </span>
    </div>
  )
}
