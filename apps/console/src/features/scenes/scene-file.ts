/** A file of scenes, as an export writes it; read-scene-file.ts reads it again. Pure. */

import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'

/** Readers refuse what is not ours instead of guessing. */
export const sceneFormat = 'ithings-scenes'
export const longestName = 64

/** Parts as JSON, not as texts inside JSON, so that people can read and compare files. */
export const packScenes = (scenes: readonly Scene[]): string =>
  JSON.stringify(
    {
      format: sceneFormat,
      scenes: scenes.map(({ name, desc, status, triggerType, trigger, when, then }) => ({
        name,
        desc,
        status,
        triggerType,
        trigger: JSON.parse(trigger || 'null') as unknown,
        when: JSON.parse(when || '[]') as unknown,
        then: JSON.parse(then || '[]') as unknown,
      })),
    },
    null,
    2,
  )

/** Names are unique: the first free one of 名称, 名称-2, 名称-3 within the limit. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let no = 1; ; no++) {
    const ending = no === 1 ? '' : `-${no}`
    const name = wanted.slice(0, longestName - ending.length) + ending
    if (!taken.has(name)) return name
  }
}

export function copyName(name: string, taken: ReadonlySet<string>): string {
  const ending = t('{name}-副本', { name: '' })
  return freeName(t('{name}-副本', { name: name.slice(0, longestName - ending.length) }), taken)
}
