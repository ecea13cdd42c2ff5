/** What changes between two models, for the import preview, versions and the check before a type change. */
import { isRecord } from '#is-record.ts'
import { functionsOf, type ModelFunction } from './affordance.ts'
import type { Define } from './define.ts'
import { FunctionType, type ThingModel } from './model.ts'

export interface ChangedFunction {
  type: number
  identifier: string
  name: string
  /** Members that differ, like `define.max`. */
  fields: string[]
  /** The stored values no longer fit (decisions.md 2 "type change"). */
  typeChanged: boolean
}

export interface ListedFunction {
  type: number
  identifier: string
  name: string
}

export interface ModelDiff {
  added: ListedFunction[]
  changed: ChangedFunction[]
  removed: ListedFunction[]
}

const listed = (part: ModelFunction): ListedFunction => ({
  type: part.type,
  identifier: part.value.identifier,
  name: part.value.name,
})

const identifierOf = (item: unknown): string => (isRecord(item) ? String(item.identifier) : '')

/** Lists of a model hold things with identifiers; what one is called decides which one it is compared with. */
function differingItems(before: unknown[], after: unknown[], path: string): string[] {
  const old = new Map(before.map((item) => [identifierOf(item), item]))
  const now = new Map(after.map((item) => [identifierOf(item), item]))
  const fields = [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
    differingFields(old.get(key), now.get(key), `${path}.${key}`),
  )
  // The same items in another order.
  const moved = fields.length === 0 && before.some((item, index) => identifierOf(item) !== identifierOf(after[index]))
  return moved ? [path] : fields
}

function differingFields(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) return differingItems(before, after, path)
  if (!isRecord(before) || !isRecord(after)) return [path]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => differingFields(before[key], after[key], path === '' ? key : `${path}.${key}`))
}

/** Limits, labels and units may change freely; members of a struct may come and go, but not change their type. */
function keepsStoredForm(before: Define, after: Define): boolean {
  if (before.type !== after.type) return false
  if (before.arrayInfo && after.arrayInfo) return keepsStoredForm(before.arrayInfo, after.arrayInfo)
  const old = new Map(before.specs?.map((spec) => [spec.identifier, spec.dataType]))
  return (after.specs ?? []).every((spec) => {
    const earlier = old.get(spec.identifier)
    return !earlier || keepsStoredForm(earlier, spec.dataType)
  })
}

function changesStoredForm(before: ModelFunction, after: ModelFunction): boolean {
  if (before.type !== after.type) return true
  if (before.type !== FunctionType.property || after.type !== FunctionType.property) return false
  return !keepsStoredForm(before.value.define, after.value.define)
}

export function diffModels(before: ThingModel, after: ThingModel): ModelDiff {
  const old = new Map(functionsOf(before).map((part) => [part.value.identifier, part]))
  const now = functionsOf(after)
  const diff: ModelDiff = { added: [], changed: [], removed: [] }
  for (const part of now) {
    const earlier = old.get(part.value.identifier)
    old.delete(part.value.identifier)
    if (!earlier) {
      diff.added.push(listed(part))
      continue
    }
    const fields = earlier.type === part.type ? differingFields(earlier.value, part.value) : ['type']
    if (fields.length > 0) {
      diff.changed.push({ ...listed(part), fields, typeChanged: changesStoredForm(earlier, part) })
    }
  }
  diff.removed.push(...[...old.values()].map(listed))
  return diff
}
