/** Tags given to several products at once. Pure. */
import { t } from '@ithings/contract/text.ts'
import { maxTags, type Tag } from '@ithings/contract/wire.ts'

export const TagMode = { add: 'add', replace: 'replace' } as const
export type TagMode = (typeof TagMode)[keyof typeof TagMode]

/** Adding keeps what is there; a key that is given again takes the new value. */
export function mergeTags(own: readonly Tag[], given: readonly Tag[], mode: TagMode): Tag[] {
  if (mode === TagMode.replace) return [...given]
  const keys = new Set(given.map((tag) => tag.key))
  const merged = [...own.filter((tag) => !keys.has(tag.key)), ...given]
  if (merged.length > maxTags)
    throw new Error(t('合并后有 {count} 个标签，最多 {most} 个', { count: merged.length, most: maxTags }))
  return merged
}
