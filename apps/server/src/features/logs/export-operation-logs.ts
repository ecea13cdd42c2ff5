/** The operation log of a filter as a file, made by a job; oldest first, as its chain goes. */
import { type BodyOutput, businessTypeLabels } from '@ithings/contract/endpoint.ts'
import type { exportOperationLogs as endpoint } from '@ithings/contract/features/logs.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Selectable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { OperationLogTable } from '#db/tables/logs.ts'
import {
  type Cell,
  exportTable,
  inPortions,
  type JobContext,
  type JobKind,
  type JobsDeps,
  startJob,
  type TableColumn,
} from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { operationsOf } from './list-operation-logs.ts'
import { placeText } from './location.ts'

type Input = BodyOutput<typeof endpoint>

const kind = 'operation-log.export'

export async function startExport(jobs: JobsDeps, input: Input, user: SignedInUser) {
  return { jobID: await startJob(jobs, { kind, title: kept('导出操作日志'), input, user }) }
}

const columns: TableColumn[] = [
  { head: '编号', type: 'integer' },
  { head: '操作时间', type: 'time' },
  { head: '用户ID', type: 'integer' },
  ...['操作人员', '操作名称', '业务类型', '请求地址', 'IP', '操作地点'].map((head) => ({
    head,
    type: 'text' as const,
  })),
  { head: '结果码', type: 'integer' },
  ...['结果说明', '请求参数', '返回结果'].map((head) => ({ head, type: 'text' as const })),
  { head: '耗时（毫秒）', type: 'integer' },
  { head: '请求编号', type: 'text' },
  { head: '校验值', type: 'text' },
]

const cells = (row: Selectable<OperationLogTable>): Cell[] => [
  row.id,
  row.created_at.getTime(),
  row.user_id,
  row.user_name,
  kept(row.oper_name),
  kept(businessTypeLabels[row.business_type as keyof typeof businessTypeLabels] ?? String(row.business_type)),
  row.uri,
  row.ip_addr,
  placeText(row.location),
  row.code,
  row.msg,
  row.req,
  row.resp,
  row.duration_ms,
  row.request_id,
  row.hash.toString('hex'),
]

async function run(db: Db, context: JobContext<Input>) {
  const found = await operationsOf(db, context.input)
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const portions = inPortions(
    (after, limit) => found.where('id', '>', after).orderBy('id').limit(limit).selectAll().execute(),
    (row) => row.id,
  )
  const { format } = context.input
  return exportTable(context, { name: 'operation-log', format, columns, portions, cells, total: () => total })
}

export const exportJob = (db: Db): JobKind => ({ kind, run: (context) => run(db, context as JobContext<Input>) })
