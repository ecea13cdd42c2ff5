/** A file of scenes, as an export writes it and an import reads it again. Pure. */
import { AppError } from '@ithings/contract/errors.ts'
import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { parseScene, type SceneParts, sceneTexts, triggerTypes } from '@ithings/contract/rules/scene-text.ts'
import * as z from 'zod'
import { readJsonText } from '#kit/read-json-text.ts'

/** Readers refuse what is not ours instead of guessing. */
const sceneFormat = 'ithings-scenes'
const mostScenes = 500
const longestName = 64
const longestDesc = 200

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

export interface ReadScene {
  name: string
  desc: string
  enabled: boolean
  /** undefined: it has problems. */
  parts: SceneParts | undefined
  problems: string[]
}

const file = z.object({
  format: z.literal(sceneFormat),
  scenes: z
    .array(z.record(z.string(), z.unknown()))
    .min(1, '文件里没有场景')
    .max(mostScenes, `一次最多导入 ${mostScenes} 个场景`),
})

const head = z.object({
  name: z.string('缺少名称').trim().min(1, '缺少名称').max(longestName, `名称最长 ${longestName} 个字符`),
  desc: z.string().max(longestDesc, `说明最长 ${longestDesc} 个字符`).nullish(),
  triggerType: z.enum(triggerTypes, '触发方式只能是 device、timer 或 manual'),
  status: z.number().optional(),
})

/** Existing consoles keep the parts as texts. */
const textOf = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part ?? null))

function readOne(raw: Record<string, unknown>): ReadScene {
  const read = head.safeParse(raw)
  if (!read.success) {
    const name = typeof raw.name === 'string' ? raw.name : ''
    return {
      name,
      desc: '',
      enabled: false,
      parts: undefined,
      problems: read.error.issues.map(({ message }) => message),
    }
  }
  const { name, desc, triggerType, status } = read.data
  const base = { name, desc: desc ?? '', enabled: status !== 2 }
  try {
    const texts = { triggerType, trigger: textOf(raw.trigger), when: textOf(raw.when), then: textOf(raw.then) }
    return { ...base, parts: parseScene(texts), problems: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // What stands before the colon is the catalogue's own word.
    return { ...base, parts: undefined, problems: [error.message.slice(error.message.indexOf(':') + 1)] }
  }
}

/** Throws a sentence when the text is no such file; faults of one scene are its own. */
export function readScenes(text: string): ReadScene[] {
  const parsed = file.safeParse(readJsonText(text))
  const issue = parsed.error?.issues[0]
  if (issue) throw new Error(issue.path[0] === 'scenes' ? issue.message : '不是从场景列表导出的文件')
  return (parsed.data?.scenes ?? []).map(readOne)
}

/** The body of the new scene; names and status are the importer's choice. */
export const newSceneOf = (parts: SceneParts, name: string, desc: string, status: number) => ({
  name,
  desc,
  status,
  triggerType: parts.triggerType,
  ...sceneTexts(parts),
})

/** Names are unique: the first free one of 名称, 名称-2, 名称-3 within the limit. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let no = 1; ; no++) {
    const ending = no === 1 ? '' : `-${no}`
    const name = wanted.slice(0, longestName - ending.length) + ending
    if (!taken.has(name)) return name
  }
}

export const copyName = (name: string, taken: ReadonlySet<string>): string =>
  freeName(`${name.slice(0, longestName - 3)}-副本`, taken)
