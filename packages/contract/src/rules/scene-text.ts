/** From the three JSON texts of a scene to its parts and back (rules.md 1); a fault names the part and the place. */

import type * as z from 'zod'
import { t } from '#text.ts'
import { describeIssue } from '../describe-issue.ts'
import { errors, refusal } from '../errors.ts'
import { sceneLimits, type TriggerType } from './scene-limits.ts'
import {
  type Condition,
  type SceneAction,
  type SceneTrigger,
  sceneActions,
  sceneConditions,
  sceneTrigger,
} from './scene-parts.ts'

export const triggerTypeLabels: Record<TriggerType, string> = {
  device: '设备触发',
  timer: '定时触发',
  manual: '手动触发',
}

export interface SceneParts {
  triggerType: TriggerType
  trigger: SceneTrigger
  conditions: Condition[]
  actions: SceneAction[]
}

export interface SceneTexts {
  triggerType: TriggerType
  trigger?: string | null | undefined
  when?: string | null | undefined
  then?: string | null | undefined
}

/** Both say it by `t` when somebody reads it. */
const bad = (part: () => string, detail: () => string) =>
  refusal(errors.parameter, '{part}：{detail}', { part, detail })

/** Absent, empty and null are what existing consoles send for "nothing touched" (rules.md 1). */
function read<S extends z.ZodType>(
  part: () => string,
  schema: S,
  text: string | null | undefined,
  empty: unknown,
): z.output<S> {
  let value: unknown = empty
  if (text !== null && text !== undefined && text.trim() !== '') {
    if (text.length > sceneLimits.textBytes)
      throw bad(part, () => t('最长 {max} 个字符', { max: sceneLimits.textBytes }))
    try {
      value = JSON.parse(text) ?? empty
    } catch {
      throw bad(part, () => t('JSON 格式不对'))
    }
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw bad(part, () => (issue ? describeIssue(issue) : t('格式不对')))
}

const parts = { trigger: () => t('触发'), conditions: () => t('条件'), actions: () => t('动作') }
const nothing: SceneTrigger = { device: null, timer: null }

export function parseScene(texts: SceneTexts): SceneParts {
  const { triggerType } = texts
  const trigger =
    triggerType === 'manual' ? nothing : read(parts.trigger, sceneTrigger, texts.trigger, { device: null, timer: null })
  if (triggerType === 'timer' && !trigger.timer) throw bad(parts.trigger, () => t('请填写 cron 表达式'))
  if (triggerType === 'device' && !trigger.device?.length) throw bad(parts.trigger, () => t('至少需要一个设备触发'))
  return {
    triggerType,
    trigger: {
      device: triggerType === 'device' ? trigger.device : null,
      timer: triggerType === 'timer' ? trigger.timer : null,
    },
    conditions: read(parts.conditions, sceneConditions, texts.when, []),
    actions: read(parts.actions, sceneActions, texts.then, []),
  }
}

export const sceneTexts = ({
  trigger,
  conditions,
  actions,
}: SceneParts): Required<Omit<SceneTexts, 'triggerType'>> => ({
  trigger: JSON.stringify(trigger),
  when: JSON.stringify(conditions),
  then: JSON.stringify(actions),
})
