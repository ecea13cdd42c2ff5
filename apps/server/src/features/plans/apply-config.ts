import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type applyConfig as applyEndpoint,
  type createPlan as createEndpoint,
  maxPlanBytes,
  maxPlanObjects,
  PlanState,
  type previewConfig as previewEndpoint,
} from '@ithings/contract/features/plans.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { SignedInContext } from '#http/request-context.ts'
import { type Draft, findChanges, loadStanding, type Wanted } from './find-changes.ts'
import type { PlansDeps, Scope } from './plans-deps.ts'
import { refusalOf, runAll, tryAll } from './run-changes.ts'
import { makeSees, refuseUnseen, toChange } from './seeing.ts'
import { insertPlan } from './store.ts'

async function compare(deps: PlansDeps, { db }: Scope, ctx: SignedInContext, wanted: Wanted) {
  if (JSON.stringify(wanted.objects).length > maxPlanBytes)
    throw new AppError(errors.outOfRange, {
      detail: phrase('配置最大 {most} MB', { most: maxPlanBytes / 1024 / 1024 }),
    })
  const kinds = [...wanted.objects, ...(wanted.remove ?? [])].map(({ kind }) => kind)
  const standing = await loadStanding(db, kinds, makeSees(deps, ctx.user))
  const changes = await findChanges(db, wanted, standing)
  if (changes.length > maxPlanObjects)
    throw new AppError(errors.outOfRange, {
      detail: phrase('一次最多 {most} 处改动，这里有 {count} 处', { most: maxPlanObjects, count: changes.length }),
    })
  return { standing, changes }
}

/** Thrown to drop the transaction in which the changes were tried. */
class Dropped extends Error {}

/** Done for a trial and taken back: what would be refused is what is refused. */
async function tryOut(deps: PlansDeps, wanted: Wanted, ctx: SignedInContext, rights?: 'unasked'): Promise<Draft[]> {
  let tried: Draft[] = []
  try {
    await deps.inScope(
      ctx,
      async (scope) => {
        const { changes, standing } = await compare(deps, scope, ctx, wanted)
        tried = await tryAll(scope, changes, standing)
        throw new Dropped()
      },
      rights,
    )
  } catch (error) {
    if (!(error instanceof Dropped)) throw error
  }
  return tried
}

export async function previewConfig(deps: PlansDeps, input: BodyOutput<typeof previewEndpoint>, ctx: SignedInContext) {
  return { changes: (await tryOut(deps, input, ctx)).map(toChange) }
}

/** Also kept as a plan that was applied, so that it can be undone. Nothing to do leaves nothing behind. */
export async function applyConfig(deps: PlansDeps, input: BodyOutput<typeof applyEndpoint>, ctx: SignedInContext) {
  return deps.inScope(ctx, async (scope) => {
    const { changes, standing } = await compare(deps, scope, ctx, input)
    if (changes.length === 0) return { id: 0, changes: [] }
    await runAll(scope, changes, standing)
    const { user } = ctx
    const { title, origin } = input
    const decided = { decidedBy: user.userName, decidedAt: deps.clock.now() }
    const id = await insertPlan(deps, scope.db, user, {
      title,
      origin,
      reason: '',
      state: PlanState.applied,
      changes,
      ...decided,
    })
    return { id, changes: changes.map(toChange) }
  })
}

/**
 * The rights to the acts are those of whoever approves: so a key that only reads can propose. What the proposer
 * may not see, and what is beyond his reach (a role stronger than his), is refused; another problem is told, and may be over one day.
 */
export async function createPlan(deps: PlansDeps, input: BodyOutput<typeof createEndpoint>, ctx: SignedInContext) {
  await refuseUnseen(deps, ctx.user, [...input.objects, ...input.remove])
  const changes = await tryOut(deps, input, ctx, 'unasked')
  const forbidden = changes.find(({ error }) => error?.code === errors.permission.code)
  if (forbidden?.error) throw refusalOf(forbidden, forbidden.error)
  if (changes.length === 0) throw new AppError(errors.parameter, { detail: phrase('没有要改的：配置已经是这样') })
  const { title, reason, origin } = input
  const state = PlanState.proposed
  const id = await insertPlan(deps, deps.db, ctx.user, { title, reason, origin, state, changes })
  return { id, changes: changes.map(toChange) }
}
