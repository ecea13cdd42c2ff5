/** The byte budget (`DISK_BUDGET`): a warning at 80 %, then the oldest that can go goes. */
import { dayMs } from '@ithings/contract/durations.ts'
import type pg from 'pg'
import { readWatermark } from './hot-rows.ts'
import { dropPart, listJournalParts } from './partitions.ts'

const warnAt = 0.8
/** Freed down to this, so that it does not act again at once. */
const freeTo = 0.95

export interface BudgetState {
  bytes: number
  /** Over 80 %. */
  warns: boolean
  dropped: string[]
}

const databaseBytes = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')
  return rows[0]?.bytes ?? 0
}

/** Oldest first: packed days of the journal, then blocks of the history; the newest of each always stays. */
async function candidates(pool: pg.Pool, now: number): Promise<string[]> {
  const watermark = Math.min(await readWatermark(pool), Math.floor(now / dayMs) * dayMs)
  const journal = (await listJournalParts(pool)).filter((part) => part.end <= watermark).sort((a, b) => a.end - b.end)
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'parts'::regnamespace and relkind = 'r'
     and relname ~ '^history_[0-9]+$' and relpages > 0 order by substr(relname, 9)::integer`,
  )
  return [...journal.map((part) => part.name), ...rows.slice(0, -2).map((row) => row.name)]
}

export async function keepDiskBudget(pool: pg.Pool, now: number, budget: number): Promise<BudgetState> {
  let bytes = await databaseBytes(pool)
  const warns = bytes >= budget * warnAt
  const dropped: string[] = []
  if (bytes >= budget) {
    for (const name of await candidates(pool, now)) {
      if (bytes < budget * freeTo) break
      if (await dropPart(pool, name)) dropped.push(name)
      bytes = await databaseBytes(pool)
    }
  }
  return { bytes, warns, dropped }
}
