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
  const [first = phrase(''), ...others] = issues.slice(0, shownIssues).map(({ path, text: fault, line }) => {
    if (line && path) return phrase('第 {line} 行 {path}：{fault}', { line, path, fault })
    if (line) return phrase('第 {line} 行：{fault}', { line, fault })
    return path ? phrase('{path}：{fault}', { path, fault }) : phrase(fault)
  })
  const shown = others.reduce((faults, fault) => phrase('{faults}；{fault}', { faults, fault }), first)
  const count = issues.length - shownIssues
  return new AppError(errors.parameter, {
    detail: count > 0 ? phrase('{faults}；另有 {count} 处错误', { faults: shown, count }) : shown,
    field: issues[0]?.path ?? '',
  })
}

export function readItem(item: ItemInput): ModelFunction {
  const result = fromItem(item)
  if (!result.ok) throw refuseModel(result.issues)
  return result.part
}
