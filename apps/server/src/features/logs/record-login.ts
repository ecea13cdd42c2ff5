import bowser from 'bowser'
import type { Db } from '#db/schema.ts'
import { locate, unknown } from './location.ts'

export interface LoginAttempt {
  userID: number
  userName: string
  ip: string
  userAgent: string
  code: number
  msg: string
  at: Date
}

/** Where somebody signs in from, in words. */
export const placeOf = (ip: string, userAgent: string) => ({
  ip_addr: ip,
  location: locate(ip),
  ...describeAgent(userAgent),
})

function describeAgent(userAgent: string): { browser: string; os: string } {
  // The parser refuses an empty text.
  if (!userAgent) return { browser: unknown, os: unknown }
  const { browser, os } = bowser.parse(userAgent.slice(0, 512))
  const join = (name?: string, version?: string) => [name, version].filter(Boolean).join(' ') || unknown
  // A program that is no browser says its name and version first.
  const program = /^([\w.-]{1,64})\/([\w.]{1,32})/.exec(userAgent)
  return {
    browser: browser.name ? join(browser.name, browser.version) : join(program?.[1], program?.[2]),
    os: join(os.name, os.versionName ?? os.version),
  }
}

export async function recordLogin(db: Db, attempt: LoginAttempt): Promise<void> {
  await db
    .insertInto('login_log')
    .values({
      user_id: attempt.userID,
      user_name: attempt.userName,
      ...placeOf(attempt.ip, attempt.userAgent),
      code: attempt.code,
      msg: attempt.msg,
      created_at: attempt.at,
    })
    .execute()
}
