/** What a scene says, for people: "任一水泵站 水泵温度 > 80 ℃ 持续 30 秒" / "停泵 → 延时 10 秒 → 触发告警". */
import { thenSentence } from './describe-action.ts'
import { whenSentence } from './describe-condition.ts'
import { triggerSentence } from './describe-trigger.ts'
import type { SceneNames } from './scene-names.ts'
import type { SceneParts } from './scene-text.ts'
import type { SentencePart } from './sentence.ts'

export const describeScene = (
  parts: SceneParts,
  names: SceneNames,
): { trigger: SentencePart[]; when: SentencePart[]; then: SentencePart[] } => ({
  trigger: triggerSentence(parts, names),
  when: whenSentence(parts.conditions, names),
  then: thenSentence(parts.actions, names),
})
