import { AppError, errors } from '@ithings/contract/errors.ts'
import type { SchemaItem } from '@ithings/contract/features/thing-model.ts'
import { phrase } from '@ithings/contract/text.ts'
import { fromItem, type ItemInput, type ModelFunction, toAffordance } from '@ithings/contract/thing-model/affordance.ts'
import type { StoredFunction } from './model-store.ts'

const yes = 1
const no = 2

export const toItem = (productID: string, part: StoredFunction): SchemaItem => ({
  productID,
  type: part.type,
  tag: part.tag,
  identifier: part.value.identifier,
  name: part.value.name,
  desc: part.value.desc,
  required: part.value.required ? yes : no,
  affordance: toAffordance(part),
})

const shownIssues = 5

/** A refusal names the first faults and how many more there are. */
export function refuseModel(issues: ReadonlyArray<{ path: string; text: string; line?: number }>): AppError {
  const shown = issues.slice(0, shownIssues).map(({ path, text, line }) => {
    const where = [line ? `第 ${line} 行` : '', path].filter(Boolean).join(' ')
    return where ? `${where}：${text}` : text
  })
  const more = issues.length - shown.length
  return new AppError(errors.parameter, {
    detail: shown.join('；') + (more > 0 ? phrase('；另有 {more} 处错误', { more }) : ''),
    field: issues[0]?.path ?? '',
  })
}

export function readItem(item: ItemInput): ModelFunction {
  const result = fromItem(item)
  if (!result.ok) throw refuseModel(result.issues)
  return result.part
}
