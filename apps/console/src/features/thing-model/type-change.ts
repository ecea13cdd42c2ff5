import type { SchemaItem } from '@ithings/contract/features/thing-model.ts'
import type { ModelFunction } from '@ithings/contract/thing-model/affordance.ts'
import { FunctionType, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { diffModels } from '@ithings/contract/thing-model/model-diff.ts'
import { type FunctionDraft, partOfItem, toItem } from './function-draft.ts'

const alone = (part: ModelFunction): ThingModel => ({
  properties: part.type === FunctionType.property ? [part.value] : [],
  events: part.type === FunctionType.event ? [part.value] : [],
  actions: part.type === FunctionType.action ? [part.value] : [],
})

/** Would stored values no longer fit? The server's own comparison decides (decisions.md 2 "type change"). */
export function isTypeChange(stored: SchemaItem, draft: FunctionDraft): boolean {
  const before = partOfItem(stored)
  const after = partOfItem(toItem(draft))
  if (!before || !after) return false
  return diffModels(alone(before), alone(after)).changed.some((one) => one.typeChanged)
}
