/** Does what a plan says, on one transaction, through the endpoints that everybody calls. */
import { AppError } from '@ithings/contract/errors.ts'
import { ChangeAct, configKindLabels } from '@ithings/contract/features/plans.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Draft, Standing } from './find-changes.ts'
import { kindOf } from './kinds/all-kinds.ts'
import type { Scope } from './plans-deps.ts'

/** A refusal that says of which object it speaks. */
export function refusalOf({ kind, name }: Draft, error: AppError): AppError {
  const values = { kind: phrase(configKindLabels[kind]), name, problem: error.kept() }
  return new AppError(
    { code: error.code, msg: '' },
    { msg: phrase('{kind}「{name}」：{problem}', values), cause: error },
  )
}

/** Model and script of a product that goes are gone with it. */
const goesByItself = (change: Draft, all: Draft[]): boolean =>
  (change.kind === 'model' || change.kind === 'script') &&
  change.act === ChangeAct.delete &&
  all.some(({ kind, name, act }) => kind === 'product' && name === change.name && act === ChangeAct.delete)

async function run(scope: Scope, change: Draft, standing: Standing): Promise<void> {
  const { kind, name, act, after } = change
  const found = standing.get(kind)?.get(name)
  const { create, update, remove } = kindOf[kind]
  if (act === ChangeAct.create && after) return create(scope, name, after)
  if (!found) throw new Error(`${kind} ${name} is not there`)
  if (act === ChangeAct.update && after) return update(scope, found, after)
  return remove(scope, found)
}

/** Throws the first refusal. */
export async function runAll(scope: Scope, changes: Draft[], standing: Standing): Promise<void> {
  for (const change of changes) {
    if (change.error) throw refusalOf(change, change.error)
    if (goesByItself(change, changes)) continue
    try {
      await run(scope, change, standing)
    } catch (error) {
      throw error instanceof AppError ? refusalOf(change, error) : error
    }
  }
}

/** Tries each; what is refused is taken back and told, the others go on. For a transaction that is dropped afterwards. */
export async function tryAll(scope: Scope, changes: Draft[], standing: Standing): Promise<Draft[]> {
  const tried: Draft[] = []
  for (const change of changes) {
    let error = change.error
    if (!error && !goesByItself(change, changes)) {
      try {
        await scope.db.transaction().execute(() => run(scope, change, standing))
      } catch (cause) {
        if (!(cause instanceof AppError)) throw cause
        error = cause
      }
    }
    tried.push(error ? { ...change, error, problem: error.kept() } : change)
  }
  return tried
}
