/** Freezes an account or address after repeated wrong passwords (http-api.md 2.2: 8 in 5 minutes, frozen for 2). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const windowMs = 5 * 60_000
const freezeMs = 2 * 60_000
export const failuresToFreeze = 8
/** From here on the code tells consoles to ask for a captcha (1000029, same text). */
export const failuresToWarn = 4

const subjectsOf = (account: string, ip: string) => [`account:${account.toLowerCase()}`, `ip:${ip}`]

export async function refuseFrozen(db: Db, clock: Clock, account: string, ip: string): Promise<void> {
  const frozen = await db
    .selectFrom('login_guard')
    .select((eb) => eb.fn.max('frozen_until').as('until'))
    .where('subject', 'in', subjectsOf(account, ip))
    .executeTakeFirst()
  const left = (frozen?.until?.getTime() ?? 0) - clock.now()
  if (left <= 0) return
  // http-api.md 2.2: delivered inside a 100001 with the minutes in the text.
  throw new AppError(errors.fallback, {
    msg: `${errors.accountFrozen.msg}，请 ${Math.ceil(left / 60_000)} 分钟后再试`,
  })
}

/** Counts a wrong password for account and address; answers the higher count. */
export async function countFailure(db: Db, clock: Clock, account: string, ip: string): Promise<number> {
  const now = new Date(clock.now())
  const windowStart = new Date(clock.now() - windowMs)
  const frozenUntil = new Date(clock.now() + freezeMs)
  let worst = 0
  for (const subject of subjectsOf(account, ip)) {
    const row = await db
      .insertInto('login_guard')
      .values({ subject, failures: 1, window_start: now, frozen_until: null })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet({
          failures: sql`case when login_guard.window_start < ${windowStart} then 1 else login_guard.failures + 1 end`,
          window_start: sql`case when login_guard.window_start < ${windowStart} then ${now} else login_guard.window_start end`,
        }),
      )
      .returning('failures')
      .executeTakeFirstOrThrow()
    if (row.failures >= failuresToFreeze) {
      // A new window starts after the freeze, so that one more mistake does not freeze again.
      await db
        .updateTable('login_guard')
        .set({ frozen_until: frozenUntil, failures: 0, window_start: now })
        .where('subject', '=', subject)
        .execute()
    }
    worst = Math.max(worst, row.failures)
  }
  return worst
}

export async function forgetFailures(db: Db, account: string, ip: string): Promise<void> {
  await db.deleteFrom('login_guard').where('subject', 'in', subjectsOf(account, ip)).execute()
}

export async function dropOldGuards(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('login_guard')
    .where('window_start', '<', new Date(clock.now() - windowMs))
    .where((eb) => eb.or([eb('frozen_until', 'is', null), eb('frozen_until', '<', new Date(clock.now()))]))
    .execute()
}
