import bowser from 'bowser'
import type { Db } from '#db/schema.ts'
import { locate } from './location.ts'

export interface LoginAttempt {
  userID: number
  userName: string
  ip: string
  userAgent: string
  code: number
  msg: string
  at: Date
}

function describeAgent(userAgent: string): { browser: string; os: string } {
  // The parser refuses an empty text.
  if (!userAgent) return { browser: '未知', os: '未知' }
  const { browser, os } = bowser.parse(userAgent.slice(0, 512))
  const join = (name?: string, version?: string) => [name, version].filter(Boolean).join(' ') || '未知'
  return { browser: join(browser.name, browser.version), os: join(os.name, os.versionName ?? os.version) }
}

export async function recordLogin(db: Db, attempt: LoginAttempt): Promise<void> {
  await db
    .insertInto('login_log')
    .values({
      user_id: attempt.userID,
      user_name: attempt.userName,
      ip_addr: attempt.ip,
      location: locate(attempt.ip),
      ...describeAgent(attempt.userAgent),
      code: attempt.code,
      msg: attempt.msg,
      created_at: attempt.at,
    })
    .execute()
}
