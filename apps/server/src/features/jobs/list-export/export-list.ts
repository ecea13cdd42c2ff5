/** What any list or chart shows, as a file: the list itself is asked, as who wants it, page by page. */
import { type BodyOutput, BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { AppError, badField, errors } from '@ithings/contract/errors.ts'
import { type exportList as endpoint, JobStatus, maxOpenExports } from '@ithings/contract/features/jobs.ts'
import { kept, phrase, sayKept } from '@ithings/contract/text.ts'
import { isZone } from '@ithings/contract/zone-days.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { exportTable } from '../export-table.ts'
import type { JobContext, JobKind } from '../job-kinds.ts'
import type { JobsDeps } from '../jobs-deps.ts'
import { startJob } from '../start-job.ts'
import { allColumns, cellsOf, rowSchema, rowsIn, tableColumns } from './columns.ts'
import type { Lists } from './lists.ts'
import { type AskRows, readRows } from './read-rows.ts'

type Wish = BodyOutput<typeof endpoint>
/** The key that it was asked by limits it also later. */
type Input = Wish & { keyID: number }

const kind = 'list.export'
const deadlineSeconds = 6 * 3600

function findList(lists: Lists, { path }: Wish): Endpoint {
  const found = lists.find(path)
  const isList =
    found?.businessType === BusinessType.query && found.access !== 'public' && !found.fresh && !found.unwrapped
  if (!found || !isList) throw badField('path', '{path} 不是可以导出的列表', { path })
  return found
}

async function requireRoomFor({ db }: JobsDeps, { userID }: SignedInUser): Promise<void> {
  const { open } = await db
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('kind', '=', kind)
    .where('user_id', '=', userID)
    .where('status', 'in', [JobStatus.waiting, JobStatus.running])
    .executeTakeFirstOrThrow()
  if (open >= maxOpenExports) {
    throw new AppError(errors.quota, {
      msg: phrase('已有 {count} 个导出还没有完成，请稍后再试', { count: maxOpenExports }),
    })
  }
}

export async function startListExport(deps: JobsDeps, input: Wish, user: SignedInUser) {
  const list = findList(deps.lists, input)
  if (input.timeZone && !isZone(input.timeZone)) {
    throw badField('timeZone', '没有时区 {timeZone}', { timeZone: input.timeZone })
  }
  rowSchema(list.data, input.rows)
  for (const body of bodiesOf(input)) await deps.lists.check(list, body, user)
  await requireRoomFor(deps, user)
  const title = kept('导出「{title}」', { title: input.title || phrase(list.name) })
  const job: Input = { ...input, keyID: user.key?.id ?? 0 }
  return { jobID: await startJob(deps, { kind, title, input: job, user }) }
}

const bodiesOf = ({ body, bodies }: Wish) => bodies ?? [body]

const hasPages = ({ body }: Endpoint): boolean => 'page' in ((body as { shape?: object }).shape ?? {})

/** Names of files have no separators, and no room for a whole sentence. */
const fileName = (title: string): string =>
  title
    .replaceAll(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 80)

async function run(deps: JobsDeps, context: JobContext<Input>) {
  const { input, language } = context
  const by = translatorOf(language)
  const list = findList(deps.lists, input)
  const row = rowSchema(list.data, input.rows)
  const columns = input.columns ?? allColumns(row)
  const paged = hasPages(list)
  let total = 0
  const ask: AskRows = async (body) => {
    // Rights may have gone since the last page.
    const user = await deps.lists.caller(context.userID, input.keyID)
    const answer = await deps.lists.ask(list, body, { ...user, language })
    const rows = rowsIn(answer, input.rows)
    return { rows, total: paged ? Number((answer as { total?: unknown }).total ?? 0) : rows.length }
  }
  async function* portions() {
    for (const body of bodiesOf(input)) {
      const options = { path: list.path, body, now: deps.clock.now(), paged }
      for await (const answer of readRows(ask, options)) {
        total = Math.max(total, answer.total)
        yield answer.rows
      }
    }
  }
  return exportTable(context, {
    name: fileName(sayKept(input.title || kept(list.name), by)) || 'export',
    format: input.format,
    columns: tableColumns(columns, row),
    portions: portions(),
    cells: cellsOf(columns, by),
    total: () => total,
    timeZone: input.timeZone,
  })
}

export const listExportJob = (deps: JobsDeps): JobKind => ({
  kind,
  deadlineSeconds,
  run: (context) => run(deps, context as JobContext<Input>),
})
