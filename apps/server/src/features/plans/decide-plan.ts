/** A person approves, refuses or undoes. Everything of it in one transaction, with his own rights to each act. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { ChangeAct, configKindLabels, PlanState, planStateLabels } from '@ithings/contract/features/plans.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { SignedInContext, SignedInUser } from '#http/request-context.ts'
import { type Draft, inOrder, loadStanding } from './find-changes.ts'
import { expiryOf } from './housekeeping.ts'
import { withNow } from './list-plans.ts'
import type { PlansDeps, Scope } from './plans-deps.ts'
import { refusalOf, runAll } from './run-changes.ts'
import { findPlan } from './store.ts'

const mostNamed = 5

async function lockPlan({ clock }: PlansDeps, db: Db, id: number, state: PlanState) {
  const plan = await findPlan(db, id, true)
  const isOver = plan.state === PlanState.proposed && plan.created_at < expiryOf(clock.now())
  const stands = (isOver ? PlanState.expired : plan.state) as PlanState
  if (stands === state) return plan
  throw new AppError(errors.parameter, {
    detail: phrase('配置计划的状态是「{state}」', { state: phrase(planStateLabels[stands], { context: 'state' }) }),
  })
}

async function decide(
  db: Db,
  id: number,
  state: PlanState,
  by: { user: SignedInUser; now: number; decision?: string },
) {
  await db
    .updateTable('config_plan')
    .set({
      state,
      decided_by: by.user.userName,
      decided_at: new Date(by.now),
      ...(by.decision !== undefined && { decision: by.decision }),
      rev: sql`rev + 1`,
    })
    .where('id', '=', id)
    .execute()
}

/** Throws 900001 with the names of what is not as the plan knows it. */
async function refuseStale(db: Db, changes: Draft[], side: 'before' | 'after'): Promise<void> {
  const stale = (await withNow(db, changes, side, '')).filter(({ now }) => now !== undefined)
  if (stale.length === 0) return
  const named = stale
    .slice(0, mostNamed)
    .map(({ kind, name }) => phrase('{kind}「{name}」', { kind: phrase(configKindLabels[kind]), name }))
  const detail =
    stale.length > mostNamed
      ? phrase('{names} 等 {count} 处', { names: named, count: stale.length })
      : phrase('{names}', { names: named })
  throw new AppError(errors.staleEdit, { detail })
}

async function carryOut(scope: Scope, changes: Draft[]): Promise<void> {
  const standing = await loadStanding(
    scope.db,
    changes.map(({ kind }) => kind),
    async () => true,
  )
  await runAll(scope, inOrder(changes), standing)
}

export async function approvePlan(deps: PlansDeps, { id }: { id: number }, ctx: SignedInContext): Promise<void> {
  await deps.inScope(ctx, async (scope) => {
    const { changes } = await lockPlan(deps, scope.db, id, PlanState.proposed)
    const unread = changes.find(({ act, after }) => act !== ChangeAct.delete && !after)
    if (unread) throw refusalOf(unread, new AppError(errors.parameter, { msg: unread.problem }))
    await refuseStale(scope.db, changes, 'before')
    await carryOut(scope, changes)
    await decide(scope.db, id, PlanState.applied, { user: ctx.user, now: deps.clock.now() })
  })
}

export async function refusePlan(
  deps: PlansDeps,
  { id, reason }: { id: number; reason: string },
  { user }: SignedInContext,
): Promise<void> {
  await deps.db.transaction().execute(async (db) => {
    await lockPlan(deps, db, id, PlanState.proposed)
    await decide(db, id, PlanState.refused, { user, now: deps.clock.now(), decision: reason })
  })
}

const opposite = {
  [ChangeAct.create]: ChangeAct.delete,
  [ChangeAct.update]: ChangeAct.update,
  [ChangeAct.delete]: ChangeAct.create,
}

const turnedBack = ({ kind, name, act, before, after }: Draft): Draft => ({
  kind,
  name,
  act: opposite[act as ChangeAct],
  ...(after && { before: after }),
  ...(before && { after: before }),
  problem: '',
})

/** Configuration comes back; what went with an object that was deleted (records, counters, the secret of a product) does not. */
export async function undoPlan(deps: PlansDeps, { id }: { id: number }, ctx: SignedInContext): Promise<void> {
  await deps.inScope(ctx, async (scope) => {
    const { changes } = await lockPlan(deps, scope.db, id, PlanState.applied)
    await refuseStale(scope.db, changes, 'after')
    await carryOut(scope, changes.map(turnedBack))
    await decide(scope.db, id, PlanState.undone, { user: ctx.user, now: deps.clock.now() })
  })
}
