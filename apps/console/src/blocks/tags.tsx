/** Tags of products, devices and groups: shown in rows, and as a filter of a list. */
import { t } from '@ithings/contract/text.ts'
import type { Tag as WireTag } from '@ithings/contract/wire.ts'
import { Select, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { type KeyValue, maxTags, parseTags, tagsText } from '#kit/tag-input.tsx'
import { useMemo } from '#language/use-memo.ts'
import './tags.css'

const words = ({ key, value }: KeyValue) => t('{key}：{value}', { key, value })

/** In a row: the first values, the rest by number; keys and values in the tooltip. */
export function TagList({ tags, max = 2 }: { tags: readonly WireTag[]; max?: number }) {
  if (tags.length === 0) return <span className="no-value">—</span>
  const rest = tags.length - max
  return (
    <Tooltip title={tags.map(words).join(t('，'))}>
      <span className="tag-list inline-flex fit middle gap-4">
        {tags.slice(0, max).map((tag) => (
          <Tag key={tag.key} variant="outlined">
            {tag.value}
          </Tag>
        ))}
        {rest > 0 && <Tag variant="outlined">+{rest}</Tag>}
      </span>
    </Tooltip>
  )
}

/** On a detail page: every pair in full. */
export const TagPairs = ({ tags }: { tags: readonly WireTag[] }) => (
  <span className="tag-list inline-flex fit middle tag-list-wrap wrap gap-4">
    {tags.map((tag) => (
      <Tag key={tag.key} variant="outlined">
        {words(tag)}
      </Tag>
    ))}
  </span>
)

/** Each pair once, in the order met. */
export function distinctTags(tags: Iterable<KeyValue>): KeyValue[] {
  const seen = new Map<string, KeyValue>()
  for (const { key, value } of tags) seen.set(tagsText([{ key, value }]), { key, value })
  return [...seen.values()]
}

interface TagFilterProps {
  id: string
  /** `k1:v1;k2:v2`, as the URL has it. */
  value: string | undefined
  onChange: (value: string | undefined) => void
  suggestions: readonly KeyValue[]
}

/** Several pairs, all of which must be there; typed as 键:值 or picked from what the list has shown. */
export function TagFilter({ id, value, onChange, suggestions }: TagFilterProps) {
  const [refused, setRefused] = useState(false)
  const options = useMemo(
    () => distinctTags(suggestions).map((tag) => ({ value: tagsText([tag]), label: words(tag) })),
    [suggestions],
  )
  const chosen = parseTags(value ?? '').map((tag) => tagsText([tag]))
  const pick = (picked: string[]) => {
    const tags = distinctTags(picked.flatMap(parseTags)).slice(0, maxTags)
    setRefused(picked.some((text) => parseTags(text).length === 0))
    onChange(tagsText(tags) || undefined)
  }
  return (
    <Select
      id={id}
      mode="tags"
      allowClear
      style={{ width: '100%' }}
      status={refused ? 'warning' : ''}
      placeholder={refused ? t('格式为 键:值') : t('选择或输入 键:值')}
      value={chosen}
      onChange={pick}
      options={options}
      maxTagCount="responsive"
      // Typed by people, not a text.
      tokenSeparators={[';', '；', ',', '，']}
      notFoundContent={t('输入 键:值 后按回车')}
    />
  )
}

/** What is known when the form is drawn; a function where more comes to be known with every page. */
type Suggestions = readonly KeyValue[] | (() => readonly KeyValue[])

/** A field of the query form; its value is read by `tagsOf`. */
export const tagFilterField = (label: string, suggestions: Suggestions): FilterField => ({
  name: 'tags',
  label,
  control: 'custom',
  width: 216,
  render: (props) => (
    <TagFilter {...props} suggestions={typeof suggestions === 'function' ? suggestions() : suggestions} />
  ),
  describe: (text) => parseTags(text).map(words).join(t('，')),
})

/** The filter for the wire; without pairs none. */
export function tagsOf(text: string | undefined): { tags?: KeyValue[] } {
  const tags = parseTags(text ?? '')
  return tags.length > 0 ? { tags } : {}
}
