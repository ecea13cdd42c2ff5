import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type listReports as listEndpoint,
  type Report,
  reportBody,
  type reportSortFields,
} from '@ithings/contract/features/reports.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { runState } from './list-runs.ts'
import { findReport, type ReportRow } from './store.ts'

const columns = {
  name: 'report.name',
  createdTime: 'report.created_at',
  nextTime: 'report.next_at',
  lastTime: 'last.created_at',
} as const satisfies Record<(typeof reportSortFields)[number], string>

/** Each with its latest run. */
const rowsOf = (db: Db) =>
  db.selectFrom('report').leftJoinLateral(
    (eb) =>
      eb
        .selectFrom('report_run')
        .leftJoin('job', 'job.job_id', 'report_run.job_id')
        .select(['report_run.created_at', runState.as('state')])
        .whereRef('report_run.report_id', '=', 'report.id')
        .orderBy('report_run.id', 'desc')
        .limit(1)
        .as('last'),
    (join) => join.onTrue(),
  )

interface Viewed extends ReportRow {
  productName: string | null
  groupName: string | null
  lastTime: number | null
  lastState: number | null
}

const view = (query: ReturnType<typeof rowsOf>) =>
  query
    .leftJoin('product', (join) => join.on(sql<boolean>`product.product_id = report.plan ->> 'productID'`))
    .leftJoin('device_group', (join) =>
      join.on(sql<boolean>`device_group.group_id = (report.plan ->> 'groupID')::bigint`),
    )
    .selectAll('report')
    .select([
      'product.product_name as productName',
      'device_group.group_name as groupName',
      'last.created_at as lastTime',
      'last.state as lastState',
    ])

function toReport(row: Viewed): Report & { deviceNames: string[] } {
  // Fields that a later version adds have their defaults.
  const plan = reportBody.parse(row.plan)
  return {
    ...plan,
    id: row.id,
    productName: row.productName ?? '',
    groupName: row.groupName ?? '',
    deviceCount: plan.deviceNames.length,
    createdBy: row.user_name,
    createdTime: toSeconds(row.created_at),
    nextTime: row.next_at ?? 0,
    lastTime: row.lastTime ?? 0,
    lastState: row.lastState ?? 0,
    rev: row.rev,
  }
}

export async function listReports(db: Db, { page, name, schedule, isEnable }: BodyOutput<typeof listEndpoint>) {
  const filtered = rowsOf(db).where((eb) =>
    asked(eb, {
      equal: { 'report.schedule': schedule, 'report.is_enable': isEnable },
      contains: { 'report.name': name },
    }),
  )
  const found = await fetchPage(filtered, (query) => view(query as ReturnType<typeof rowsOf>), page, {
    columns,
    fallback: { column: 'report.id', desc: true },
  })
  return { list: found.list.map(toReport), total: found.total }
}

export async function readReport(db: Db, { id }: { id: number }) {
  await findReport(db, id)
  return toReport(await view(rowsOf(db).where('report.id', '=', id)).executeTakeFirstOrThrow())
}
