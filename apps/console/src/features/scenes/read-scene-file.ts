/** What an import takes from a file of scenes, and what is wrong with it. Pure. */

import { AppError } from '@ithings/contract/errors.ts'
import { triggerTypes } from '@ithings/contract/rules/scene-limits.ts'
import { parseScene, type SceneParts, sceneTexts } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import * as z from 'zod'
import type { ReadRow } from '#blocks/file-import.tsx'
import { readJsonText } from '#kit/read-json-text.ts'
import { refusedPart } from './refused-part.ts'
import { longestName, sceneFormat } from './scene-file.ts'

const mostScenes = 500
const longestDesc = 200

export interface ReadScene extends ReadRow {
  desc: string
  enabled: boolean
  /** undefined: it has problems. */
  parts: SceneParts | undefined
}

const file = z.object({
  format: z.literal(sceneFormat),
  scenes: z
    .array(z.record(z.string(), z.unknown()))
    .min(1, '文件里没有场景')
    .max(mostScenes, { error: () => t('一次最多导入 {count} 个场景', { count: mostScenes }) }),
})

const head = z.object({
  name: z
    .string('缺少名称')
    .trim()
    .min(1, '缺少名称')
    .max(longestName, { error: () => t('名称最长 {count} 个字符', { count: longestName }) }),
  desc: z
    .string()
    .max(longestDesc, { error: () => t('说明最长 {count} 个字符', { count: longestDesc }) })
    .nullish(),
  triggerType: z.enum(triggerTypes, '触发方式只能是 device、timer 或 manual'),
  status: z.number().optional(),
})

/** Existing consoles keep the parts as texts. */
const textOf = (part: unknown): string => (typeof part === 'string' ? part : JSON.stringify(part ?? null))

function readOne(raw: Record<string, unknown>): ReadScene {
  const read = head.safeParse(raw)
  if (!read.success) {
    const name = typeof raw.name === 'string' ? raw.name : ''
    const problems = read.error.issues.map(({ message }) => t(message))
    return { name, desc: '', enabled: false, parts: undefined, problems }
  }
  const { name, desc, triggerType, status } = read.data
  const base = { name, desc: desc ?? '', enabled: status !== 2 }
  try {
    const texts = { triggerType, trigger: textOf(raw.trigger), when: textOf(raw.when), then: textOf(raw.then) }
    return { ...base, parts: parseScene(texts), problems: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...base, parts: undefined, problems: [refusedPart(error)] }
  }
}

/** Throws a sentence when the text is no such file; faults of one scene are its own. */
export function readScenes(text: string): ReadScene[] {
  const parsed = file.safeParse(readJsonText(text))
  const issue = parsed.error?.issues[0]
  if (issue) throw new Error(issue.path[0] === 'scenes' ? t(issue.message) : t('不是从场景列表导出的文件'))
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
