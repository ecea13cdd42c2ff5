/** Freezes an account or address after repeated wrong passwords (http-api.md 2.2: 8 in 5 minutes, frozen for 2). */

import { dayMs } from '@ithings/contract/durations.ts'
import { successCode } from '@ithings/contract/envelope.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

const windowMs = 5 * 60_000
const freezeMs = 2 * 60_000
export const failuresToFreeze = 8
/** From here on the code tells consoles to ask for a captcha (1000029, same text). */
export const failuresToWarn = 4

/** Where somebody has signed in lately, the mistakes of strangers elsewhere do not lock them out. */
const knownDays = 30

interface Attempt {
  account: string
  /** 0: nobody is called so. */
  userID: number
  ip: string
  /** With its version; absent: any counts. */
  browser?: string
}

/** What an attempt is counted for. */
export interface Subjects {
  account: string
  address: string
}

const withoutVersion = (browser: string): string => browser.replace(/ [0-9.]+$/, '')

/** Has this account been signed in to from there lately? */
export async function isKnown(
  db: Db,
  clock: Clock,
  { userID, ip, browser }: Omit<Attempt, 'account'>,
): Promise<boolean> {
  if (userID === 0) return false
  const found = await db
    .selectFrom('login_log')
    .select('id')
    .where('user_id', '=', userID)
    .where('created_at', '>', new Date(clock.now() - knownDays * dayMs))
    .where('code', '=', successCode)
    .where('ip_addr', '=', ip)
    .$if(browser !== undefined, (q) =>
      q.where(sql<string>`regexp_replace(browser, ' [0-9.]+$', '')`, '=', withoutVersion(browser ?? '')),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const accountSubject = (account: string): string => `account:${account.toLowerCase()}`

export async function subjectsOf(db: Db, clock: Clock, attempt: Attempt): Promise<Subjects> {
  const own = accountSubject(attempt.account)
  const account = (await isKnown(db, clock, attempt)) ? `${own}@${attempt.ip}` : own
  return { account, address: `ip:${attempt.ip}` }
}

const frozenFor = (ms: number) =>
  // http-api.md 2.2: delivered inside a 100001 with the minutes in the text.
  new AppError(errors.fallback, {
    msg: phrase('密码输入错误过多，账号冻结，请 {count} 分钟后再试', { count: Math.ceil(ms / 60_000) }),
  })

export async function refuseFrozen(db: Db, clock: Clock, { account, address }: Subjects): Promise<void> {
  const frozen = await db
    .selectFrom('login_guard')
    .select((eb) => eb.fn.max('frozen_until').as('until'))
    .where('subject', 'in', [account, address])
    .executeTakeFirst()
  const left = (frozen?.until?.getTime() ?? 0) - clock.now()
  if (left > 0) throw frozenFor(left)
}

/**
 * Counts an attempt before its password is looked at: of any number at the same moment, on any server, eight are looked
 * at. It counts as a mistake until `forgetFailures`. @returns the higher count of account and address
 */
export async function countAttempt(db: Db, clock: Clock, subjects: Subjects): Promise<number> {
  await refuseFrozen(db, clock, subjects)
  const now = new Date(clock.now())
  const windowStart = new Date(clock.now() - windowMs)
  let worst = 0
  for (const subject of [subjects.account, subjects.address]) {
    const { failures } = await db
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
    if (failures > failuresToFreeze) throw frozenFor(freezeMs)
    worst = Math.max(worst, failures)
  }
  return worst
}

/** After a wrong password: who has reached the limit is frozen. */
export async function freezeAtLimit(db: Db, clock: Clock, subjects: Subjects): Promise<void> {
  await db
    .updateTable('login_guard')
    // A new window starts after the freeze, so that one more mistake does not freeze again.
    .set({ frozen_until: new Date(clock.now() + freezeMs), failures: 0, window_start: new Date(clock.now()) })
    .where('subject', 'in', [subjects.account, subjects.address])
    .where('failures', '>=', failuresToFreeze)
    .execute()
}

/** After the right password: the mistakes of this account, and no others of the address, are forgotten. */
export async function forgetFailures(db: Db, { account, address }: Subjects): Promise<void> {
  const row = await db.deleteFrom('login_guard').where('subject', '=', account).returning('failures').executeTakeFirst()
  const own = row?.failures ?? 0
  const ofAddress = db.deleteFrom('login_guard').where('subject', '=', address)
  await ofAddress.where('failures', '<=', own).where('frozen_until', 'is', null).execute()
  await db
    .updateTable('login_guard')
    .set({ failures: sql`greatest(failures - ${own}, 0)` })
    .where('subject', '=', address)
    .execute()
}

/** The right password that waits for its second factor is no mistake, but forgives none either. */
export async function uncountAttempt(db: Db, { account, address }: Subjects): Promise<void> {
  await db
    .updateTable('login_guard')
    .set({ failures: sql`greatest(failures - 1, 0)` })
    .where('subject', 'in', [account, address])
    .execute()
}

/**
 * What a signed-in person must know is counted as at sign-in: whoever has found a console open must not try for ever.
 * @param check throws an AppError for what is wrong
 */
export async function guarded(
  { db, clock }: { db: Db; clock: Clock },
  user: { user_name: string; user_id: number },
  ip: string,
  check: () => Promise<void>,
): Promise<void> {
  const subjects = await subjectsOf(db, clock, { account: user.user_name, userID: user.user_id, ip })
  await countAttempt(db, clock, subjects)
  try {
    await check()
  } catch (error) {
    if (error instanceof AppError) await freezeAtLimit(db, clock, subjects)
    throw error
  }
  await forgetFailures(db, subjects)
}

/** A new password, given by somebody who may: whoever was locked out may try again from everywhere. */
export async function liftFreeze(db: Db, account: string): Promise<void> {
  const own = accountSubject(account)
  await db
    .deleteFrom('login_guard')
    .where((eb) => eb.or([eb('subject', '=', own), eb(sql`left(subject, ${own.length + 1})`, '=', `${own}@`)]))
    .execute()
}

export async function dropOldGuards(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('login_guard')
    .where('window_start', '<', new Date(clock.now() - windowMs))
    .where((eb) => eb.or([eb('frozen_until', 'is', null), eb('frozen_until', '<', new Date(clock.now()))]))
    .execute()
}
