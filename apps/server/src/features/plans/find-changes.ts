/** What would have to change so that the configuration is as somebody wants it. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  ChangeAct,
  type ConfigChange,
  type ConfigKind,
  type ConfigObject,
  configKinds,
} from '@ithings/contract/features/plans.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { kindOf } from './kinds/all-kinds.ts'
import type { Found } from './kinds/kind.ts'
import { isSame } from './same.ts'

export interface Wanted {
  objects: ConfigObject[]
  prune: boolean
  remove?: Array<{ kind: ConfigKind; name: string }>
}

/** A change with its secrets, and why it cannot be done. */
export interface Draft extends ConfigChange {
  error?: AppError
}

export type Standing = Map<ConfigKind, Map<string, Found>>

/** With models and scripts where there are products: they go with them. */
const withBelongings = (kinds: Iterable<ConfigKind>): Set<ConfigKind> => {
  const all = new Set(kinds)
  if (all.has('product')) all.add('model').add('script')
  return all
}

/** All that stands of these kinds. @param sees whether the caller may look at it */
export async function loadStanding(
  db: Db,
  kinds: Iterable<ConfigKind>,
  sees: (kind: ConfigKind, name: string) => Promise<boolean>,
): Promise<Standing> {
  const standing: Standing = new Map()
  for (const kind of withBelongings(kinds)) {
    const found = new Map<string, Found>()
    for (const one of await kindOf[kind].load(db)) if (await sees(kind, one.name)) found.set(one.name, one)
    standing.set(kind, found)
  }
  return standing
}

const keyOf = ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`

const refused = (draft: Omit<Draft, 'problem'>, error: AppError): Draft => ({ ...draft, error, problem: error.kept() })

const twice = (name: string) =>
  new AppError(errors.duplicate, { detail: phrase('「{name}」在这里不止一个，不知道要哪一个', { name }) })

async function wantedChange(db: Db, wanted: ConfigObject, found: Found | undefined): Promise<Draft | undefined> {
  const { kind, name } = wanted
  const before = found?.spec
  const base = { kind, name, act: before ? ChangeAct.update : ChangeAct.create, ...(before && { before }) }
  try {
    const after = await kindOf[kind].read(db, wanted.spec, before)
    return isSame(before, after) ? undefined : { ...base, after, problem: '' }
  } catch (error) {
    if (error instanceof AppError) return refused(base, error)
    throw error
  }
}

/** What goes with a product is named too: it is part of what is lost, and of what an undo puts back. */
function goingWith(gone: Draft, standing: Standing): Draft[] {
  if (gone.kind !== 'product' || !gone.before) return []
  return (['model', 'script'] as const).flatMap((kind) => {
    const found = standing.get(kind)?.get(gone.name)
    return found ? [{ kind, name: gone.name, act: ChangeAct.delete, before: found.spec, problem: '' }] : []
  })
}

function removals({ objects, prune, remove = [] }: Wanted, standing: Standing): Draft[] {
  const kept = new Set(objects.map(keyOf))
  const named = prune ? new Set(objects.map(({ kind }) => kind)) : new Set<ConfigKind>()
  const gone = new Map<string, Draft>()
  for (const { kind, name } of remove) {
    const base = { kind, name, act: ChangeAct.delete }
    const found = standing.get(kind)?.get(name)
    const error = kept.has(keyOf(base))
      ? twice(name)
      : found
        ? undefined
        : new AppError(errors.notFound, { detail: phrase('「{name}」不存在', { name }) })
    gone.set(keyOf(base), error ? refused(base, error) : { ...base, ...(found && { before: found.spec }), problem: '' })
  }
  for (const kind of named) {
    for (const { name, spec: before } of standing.get(kind)?.values() ?? []) {
      const one = { kind, name, act: ChangeAct.delete, before, problem: '' }
      if (!kept.has(keyOf(one))) gone.set(keyOf(one), one)
    }
  }
  for (const one of [...gone.values()]) for (const more of goingWith(one, standing)) gone.set(keyOf(more), more)
  return [...gone.values()]
}

export async function findChanges(db: Db, wanted: Wanted, standing: Standing): Promise<Draft[]> {
  const seen = new Set<string>()
  const changes: Draft[] = []
  for (const object of wanted.objects) {
    const { kind, name } = object
    const found = standing.get(kind)?.get(name)
    if (seen.has(keyOf(object))) {
      changes.push(refused({ kind, name, act: found ? ChangeAct.update : ChangeAct.create }, twice(name)))
      continue
    }
    seen.add(keyOf(object))
    const change = await wantedChange(db, object, found)
    if (change) changes.push(change)
  }
  return inOrder([...changes, ...removals(wanted, standing)])
}

/** Those it relies on first; who lie in a ring come in the order in which they are named. */
function afterWhatTheyRelyOn(changes: Draft[], side: 'before' | 'after'): Draft[] {
  const byName = new Map(changes.map((change) => [change.name, change]))
  const done = new Set<Draft>()
  const visit = (change: Draft, above: ReadonlySet<Draft>): void => {
    if (done.has(change) || above.has(change)) return
    const spec = change[side]
    const needed = spec && !change.error ? (kindOf[change.kind].reliesOn?.(spec) ?? []) : []
    for (const name of needed) {
      const other = byName.get(name)
      if (other) visit(other, new Set([...above, change]))
    }
    done.add(change)
  }
  for (const change of changes) visit(change, new Set())
  return [...done]
}

/** First what comes or changes, then what goes: so nothing is refused because something else still uses it. */
export function inOrder(changes: Draft[]): Draft[] {
  const of = (kind: ConfigKind, goes: boolean) =>
    changes.filter((change) => change.kind === kind && (change.act === ChangeAct.delete) === goes)
  return [
    ...configKinds.flatMap((kind) => afterWhatTheyRelyOn(of(kind, false), 'after')),
    ...configKinds.toReversed().flatMap((kind) => afterWhatTheyRelyOn(of(kind, true), 'before').reverse()),
  ]
}
