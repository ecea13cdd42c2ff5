/** Faults of a typed value, each at its own field; the verdict is the platform's own (thing-model.md 4). */

import { labelled } from '@ithings/contract/describe-issue.ts'
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define, type Param } from '@ithings/contract/thing-model/define.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'

/** Place of a field inside a value, like `phase.ia` or `speeds.0`, to what is wrong there. */
export type ValueIssues = ReadonlyMap<string, string>

export const under = (path: string, part: string | number): string => (path === '' ? String(part) : `${path}.${part}`)

function collect(define: Define, value: unknown, label: string, path: string, found: Map<string, string>): void {
  if (define.type === DataType.struct && isRecord(value)) {
    for (const spec of define.specs ?? []) {
      // Members may be missing (thing-model.md 4), but not the whole value.
      if (value[spec.identifier] === undefined) continue
      collect(spec.dataType, value[spec.identifier], spec.name, under(path, spec.identifier), found)
    }
    if (Object.values(value).every((member) => member === undefined))
      found.set(path, t('{label} 至少要填一个成员', { label }))
    return
  }
  if (define.type === DataType.array && Array.isArray(value) && define.arrayInfo) {
    // An empty array is ignored by the platform: nobody means to send that.
    if (value.length === 0) found.set(path, t('{label} 至少要有一个元素', { label }))
    for (const [index, item] of value.entries()) {
      collect(define.arrayInfo, item, `${label}[${index}]`, under(path, index), found)
    }
    return
  }
  if (value === undefined || value === null) {
    found.set(path, labelled(label, t('不能为空')))
    return
  }
  const result = compileDefine(define, 'command')(value, label)
  if (!result.ok) found.set(path, result.fault.text)
}

export function checkValue(define: Define, value: unknown, label: string, path = ''): ValueIssues {
  const found = new Map<string, string>()
  collect(define, value, label, path, found)
  return found
}

/** Every declared parameter must be there (thing-model.md 4 "Action input"). */
export function checkParams(params: readonly Param[], values: Record<string, unknown>): ValueIssues {
  const found = new Map<string, string>()
  for (const { define, identifier, name } of params) collect(define, values[identifier], name, identifier, found)
  return found
}
