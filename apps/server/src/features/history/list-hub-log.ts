/** The hub log, newest first: of a device by its index, of many devices by walking back in time. */
import { aheadMs, dayMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listHubLog as endpoint } from '@ithings/contract/features/history.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { HistoryDeps } from './history-deps.ts'
import { type HubLogCondition, hubLogCondition } from './hub-log-filter.ts'
import { type JournalRow, journalColumns, toHubLogRow } from './hub-log-row.ts'
import { withinQueryLimit } from './limited-query.ts'

/** Counting goes no further: nobody turns so many pages, and a fleet writes millions of lines a day. */
const maxTotal = 100_000
/** The walk back begins with the last seconds and takes six times as much with each step. */
const firstStepMs = 10_000
const stepFactor = 6
/** Older than any log that is kept. */
const longestMs = 40 * dayMs

async function count(db: Db, { where }: HubLogCondition): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select from journal j where ${where} limit ${maxTotal}) counted`.execute(db)
  return rows[0]?.total ?? 0
}

const fetch = async (db: Db, { where }: HubLogCondition, limit: number, offset: number) =>
  (
    await sql<JournalRow>`select ${journalColumns} from journal j where ${where}
      order by j.at desc, j.seq desc limit ${limit} offset ${offset}`.execute(db)
  ).rows

/** Without an index by time, sorting a whole range would read it all: so it is taken in steps from its end. */
async function walkBack(
  db: Db,
  { where, byDevice }: HubLogCondition,
  range: { from: number; to: number },
  wanted: number,
): Promise<JournalRow[]> {
  const rows: JournalRow[] = []
  let end = range.to
  for (let step = firstStepMs; rows.length < wanted && end > range.from; step *= stepFactor) {
    const begin = Math.max(range.from, end - step)
    const within = sql<boolean>`j.at >= ${begin} and j.at < ${end} and ${where}`
    rows.push(...(await fetch(db, { where: within, byDevice }, wanted - rows.length, 0)))
    end = begin
  }
  return rows
}

export async function listHubLog({ db, clock }: HistoryDeps, input: BodyOutput<typeof endpoint>) {
  return withinQueryLimit(db, async (tx) => {
    const condition = await hubLogCondition(tx, input)
    const total = await count(tx, condition)
    const { limit, offset } = historyWindow(input.page, total)
    if (limit === 0) return { list: [], total }
    if (condition.byDevice) return { list: (await fetch(tx, condition, limit, offset)).map(toHubLogRow), total }
    const to = input.timeEnd || clock.now() + aheadMs
    const from = input.timeStart || to - longestMs
    const rows = await walkBack(tx, condition, { from, to }, offset + limit)
    return { list: rows.slice(offset, offset + limit).map(toHubLogRow), total }
  })
}
