/**
 * Jobs that somebody follows: one query for all of them each gap. A job may run on another server, which has no other
 * way to tell us.
 */
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { sql } from 'kysely'
import type { Common } from '#common-deps.ts'
import type { SignedInUser } from '#http/request-context.ts'

export interface JobWatch {
  /** Jobs of others are the administrator's business only; those that do not exist are nobody's. */
  mayFollow(jobID: string, user: SignedInUser): Promise<boolean>
  open(jobID: string): void
  close(jobID: string): void
  stop(): void
}

interface JobWatchDeps extends Common<'db' | 'log'> {
  gapMs: number
  changed(jobID: string): void
}

/** Everything that a follower is shown, as one text. */
const state = sql<string>`concat_ws(' ', status, done, total, attempts, error, file_path)`

export function makeJobWatch({ db, log, gapMs, changed }: JobWatchDeps): JobWatch {
  const known = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look(): Promise<void> {
    // The last follower left between two looks.
    if (known.size === 0) return
    const rows = await db
      .selectFrom('job')
      .select(['job_id', state.as('state')])
      .where('job_id', 'in', [...known.keys()])
      .execute()
    for (const row of rows) {
      const before = known.get(row.job_id)
      if (before === undefined || before === row.state) continue
      known.set(row.job_id, row.state)
      changed(row.job_id)
    }
  }

  const plan = () => {
    if (timer || stopped || known.size === 0) return
    timer = setTimeout(() => {
      void look()
        // The database is away: the next look tells what was missed.
        .catch((error: unknown) => log.warn({ err: error }, 'followed jobs could not be read'))
        .then(() => {
          timer = undefined
          plan()
        })
    }, gapMs)
  }

  return {
    async mayFollow(jobID, user) {
      const row = await db.selectFrom('job').select('user_id').where('job_id', '=', jobID).executeTakeFirst()
      return row !== undefined && (row.user_id === user.userID || user.role === BuiltInRole.admin)
    },
    open(jobID) {
      // Unlike any state: the first look always tells.
      known.set(jobID, '')
      plan()
    },
    close: (jobID) => void known.delete(jobID),
    stop() {
      stopped = true
      clearTimeout(timer)
      known.clear()
    },
  }
}
