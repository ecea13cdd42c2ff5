/** The operation log of a filter as a CSV file, made by a job; oldest first, as its chain goes. */
import { Readable } from 'node:stream'
import { type BodyOutput, businessTypeLabels } from '@ithings/contract/endpoint.ts'
import type { exportOperationLogs as endpoint } from '@ithings/contract/features/logs.ts'
import type { Selectable } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { OperationLogTable } from '#db/tables/logs.ts'
import { csvHead, csvLine, type JobContext, type JobKind, type JobsKit, startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { operationsOf } from './list-operation-logs.ts'

type Input = BodyOutput<typeof endpoint>

const kind = 'operation-log.export'
const rowStep = 1_000

export async function startExport(jobs: JobsKit, input: Input, user: SignedInUser) {
  return { jobID: await startJob(jobs, { kind, title: '导出操作日志', input, user }) }
}

const heads = ['编号', '操作时间', '用户ID', '操作人员', '操作名称', '业务类型', '请求地址', 'IP', '操作地点', '结果码']
const moreHeads = ['结果说明', '请求参数', '返回结果', '耗时（毫秒）', '请求编号', '校验值']

const line = (row: Selectable<OperationLogTable>): string =>
  csvLine([
    String(row.id),
    row.created_at.toISOString(),
    String(row.user_id),
    row.user_name,
    row.oper_name,
    businessTypeLabels[row.business_type as keyof typeof businessTypeLabels] ?? String(row.business_type),
    row.uri,
    row.ip_addr,
    row.location,
    String(row.code),
    row.msg,
    row.req,
    row.resp,
    String(row.duration_ms),
    row.request_id,
    row.hash.toString('hex'),
  ])

async function run(db: Db, { input, progress, keepFile }: JobContext<Input>) {
  const found = await operationsOf(db, input)
  const { total } = await found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  let written = 0
  async function* content() {
    yield csvHead([...heads, ...moreHeads])
    for (let last = 0; ; ) {
      const query = found.where('id', '>', last).orderBy('id').limit(rowStep)
      const rows = await query.selectAll().execute()
      written += rows.length
      await progress(written, Math.max(total, written))
      yield rows.map(line).join('')
      if (rows.length < rowStep) return
      last = rows.at(-1)?.id ?? last
    }
  }
  await keepFile('operation-log.csv', Readable.from(content()))
  await progress(written, written)
  return { total: written }
}

export const exportJob = (db: Db): JobKind => ({ kind, run: (context) => run(db, context as JobContext<Input>) })
