import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type listPlans as listEndpoint, PlanState, type planSortFields } from '@ithings/contract/features/plans.ts'
import { kept } from '@ithings/contract/text.ts'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { type Draft, loadStanding } from './find-changes.ts'
import type { PlansDeps } from './plans-deps.ts'
import { isSame } from './same.ts'
import { refuseUnseen, toChange } from './seeing.ts'
import { findPlan, planColumns, toPlan } from './store.ts'

const columns = {
  createdTime: 'created_at',
  title: 'title',
  state: 'state',
} as const satisfies Record<(typeof planSortFields)[number], string>

export async function listPlans(db: Db, { title, state, page }: BodyOutput<typeof listEndpoint>) {
  const filtered = db.selectFrom('config_plan').where((eb) => asked(eb, { equal: { state }, contains: { title } }))
  const found = await fetchPage(filtered, (query) => query.select(planColumns), page, {
    columns,
    fallback: { column: 'id', desc: true },
  })
  return { list: found.list.map(toPlan), total: found.total }
}

/** Where something else stands than the plan saw, or left behind. */
export async function withNow(db: Db, changes: Draft[], side: 'before' | 'after', problem: string): Promise<Draft[]> {
  const standing = await loadStanding(
    db,
    changes.map(({ kind }) => kind),
    async () => true,
  )
  return changes.map((change) => {
    const now = standing.get(change.kind)?.get(change.name)?.spec
    return isSame(now, change[side]) ? change : { ...change, now: now ?? null, problem }
  })
}

const changedSince = {
  proposal: () => kept('提出之后被修改过，请重新提出'),
  application: () => kept('应用之后被修改过，不能撤销'),
}

export async function readPlan(deps: PlansDeps, { id }: { id: number }, user: SignedInUser) {
  const plan = await findPlan(deps.db, id)
  await refuseUnseen(deps, user, plan.changes)
  let changes: Draft[] = plan.changes
  if (plan.state === PlanState.proposed) changes = await withNow(deps.db, changes, 'before', changedSince.proposal())
  else if (plan.state === PlanState.applied)
    changes = await withNow(deps.db, changes, 'after', changedSince.application())
  return { ...toPlan(plan), changes: changes.map(toChange) }
}
