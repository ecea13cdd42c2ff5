/** What changes between two models, for the import preview, versions and the check before a type change. */
import { functionsOf, type ModelFunction } from './affordance.ts'
import type { ThingModel } from './model.ts'

export interface ChangedFunction {
  type: number
  identifier: string
  name: string
  /** Members that differ, like `define.max`. */
  fields: string[]
  /** The stored values no longer fit: type or shape changed (decisions.md 2 "tsl-import, type change"). */
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

function differingFields(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return []
  const bothObjects =
    typeof before === 'object' &&
    typeof after === 'object' &&
    before !== null &&
    after !== null &&
    Array.isArray(before) === Array.isArray(after)
  if (!bothObjects) return [path]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) =>
    differingFields(
      (before as Record<string, unknown>)[key],
      (after as Record<string, unknown>)[key],
      path === '' ? key : `${path}.${key}`,
    ),
  )
}

/** The stored form depends on types and members only; limits, labels and units may change freely. */
const changesStoredForm = (fields: string[]): boolean =>
  fields.some((field) => /(^|\.)type$/.test(field) || /(specs|arrayInfo)(\.\d+)?(\.identifier)?$/.test(field))

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
    const kindChanged = earlier.type !== part.type
    const fields = kindChanged ? ['type'] : differingFields(earlier.value, part.value)
    if (fields.length > 0) {
      diff.changed.push({
        ...listed(part),
        fields,
        typeChanged: kindChanged || (part.type === 1 && changesStoredForm(fields)),
      })
    }
  }
  diff.removed.push(...[...old.values()].map(listed))
  return diff
}
