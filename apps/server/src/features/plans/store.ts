import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  ChangeAct,
  type ConfigChange,
  type Plan,
  type PlanOrigin,
  type PlanState,
} from '@ithings/contract/features/plans.ts'
import { phrase } from '@ithings/contract/text.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import type { Selectable } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import { openJson, places, sealJson } from '#db/sealed.ts'
import type { ConfigPlanTable } from '#db/tables/plans.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { Draft } from './find-changes.ts'
import type { PlansDeps } from './plans-deps.ts'

interface NewPlan {
  title: string
  reason: string
  origin: PlanOrigin | undefined
  state: PlanState
  changes: Draft[]
  decidedBy?: string
  decidedAt?: number
}

export async function insertPlan({ clock }: PlansDeps, db: Db, user: SignedInUser, plan: NewPlan): Promise<number> {
  const count = (act: ChangeAct) => plan.changes.filter((change) => change.act === act).length
  const changes = plan.changes.map(({ kind, name, act, before, after, problem }) => ({
    kind,
    name,
    act,
    before,
    after,
    problem,
  }))
  const { id } = await db
    .insertInto('config_plan')
    .values({
      title: plan.title,
      reason: plan.reason,
      state: plan.state,
      user_id: user.userID,
      created_by: user.userName,
      key_name: user.key?.name ?? '',
      origin: plan.origin ?? (user.key ? 'command line' : 'console'),
      creates: count(ChangeAct.create),
      updates: count(ChangeAct.update),
      deletes: count(ChangeAct.delete),
      changes: sealJson(db, places.plan, jsonText(changes)),
      decided_by: plan.decidedBy ?? '',
      decided_at: plan.decidedAt === undefined ? null : new Date(plan.decidedAt),
      created_at: new Date(clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type PlanRow = Omit<Selectable<ConfigPlanTable>, 'changes'>
export const planColumns = [
  'id',
  'title',
  'reason',
  'state',
  'user_id',
  'created_by',
  'key_name',
  'origin',
  'creates',
  'updates',
  'deletes',
  'decided_by',
  'decided_at',
  'decision',
  'rev',
  'created_at',
] as const

export const toPlan = (row: PlanRow): Plan => ({
  id: row.id,
  title: row.title,
  reason: row.reason,
  state: row.state,
  createdBy: row.created_by,
  keyName: row.key_name,
  origin: row.origin,
  creates: row.creates,
  updates: row.updates,
  deletes: row.deletes,
  createdTime: toSeconds(row.created_at),
  decidedBy: row.decided_by,
  decidedTime: toSeconds(row.decided_at),
  decision: row.decision,
  rev: row.rev,
})

/** With its secrets. @param lock nobody else decides on it until the transaction ends */
export async function findPlan(db: Db, id: number, lock = false) {
  const row = await db
    .selectFrom('config_plan')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw new AppError(errors.notFound, { detail: phrase('配置计划 {id} 不存在', { id }) })
  return { ...row, changes: openJson(db, places.plan, row.changes) as ConfigChange[] }
}
