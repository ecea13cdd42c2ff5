import { parseInput } from '@ithings/contract/describe-issue.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type createReport as createEndpoint,
  type ReportPlan,
  reportBody,
  reportLimits,
  type updateReport as updateEndpoint,
} from '@ithings/contract/features/reports.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { checkReport, nextOf } from './check-report.ts'
import { dropRunFiles } from './housekeeping.ts'
import type { ReportsDeps } from './reports-deps.ts'
import { findReport } from './store.ts'

/** Names tell reports apart in mails. */
async function nameConflicts<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if ((cause as { constraint?: string }).constraint !== 'report_name_key') throw cause
    throw new AppError(errors.duplicate, { msg: phrase('报表名称重复：{name}', { name }), field: 'name', cause })
  }
}

const columnsOf = (plan: ReportPlan, now: number) => ({
  name: plan.name,
  is_enable: plan.isEnable,
  schedule: plan.schedule,
  plan: jsonText(plan),
  next_at: nextOf(plan, now),
})

export async function createReport(deps: ReportsDeps, input: BodyOutput<typeof createEndpoint>, user: SignedInUser) {
  const { db, clock } = deps
  const plan = await checkReport(deps, input)
  const { count } = await db.selectFrom('report').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  if (count >= reportLimits.reports) {
    throw new AppError(errors.quota, { msg: phrase('报表最多 {most} 个', { most: reportLimits.reports }) })
  }
  const values = { ...columnsOf(plan, clock.now()), user_id: user.userID, user_name: user.userName }
  return nameConflicts(plan.name, db.insertInto('report').values(values).returning('id').executeTakeFirstOrThrow())
}

/** Absent fields stay as they are. */
export async function updateReport(deps: ReportsDeps, { id, rev, ...given }: BodyOutput<typeof updateEndpoint>) {
  const stored = await findReport(deps.db, id)
  const plan = await checkReport(deps, parseInput(reportBody, { ...stored.plan, ...given }))
  await nameConflicts(
    plan.name,
    deps.db.transaction().execute(async (db) => {
      const before = await findReport(db, id, true)
      refuseStaleEdit(rev ?? stored.rev, before.rev)
      await db
        .updateTable('report')
        .set({ ...columnsOf(plan, deps.clock.now()), rev: sql`rev + 1` })
        .where('id', '=', id)
        .execute()
    }),
  )
}

/** With its history and files; a run that is under way finds nothing to write to. */
export async function deleteReport(deps: ReportsDeps, { id }: { id: number }) {
  await deps.db.transaction().execute(async (db) => {
    await findReport(db, id, true)
    await dropRunFiles({ db, files: deps.files }, sql<boolean>`report_id = ${id}`)
    await db.deleteFrom('report').where('id', '=', id).execute()
  })
}
