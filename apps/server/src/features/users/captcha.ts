/** Captchas live in the database, so that any server can check what another one drew. Single use, two minutes. */
import { randomUUID } from 'node:crypto'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import { drawCaptcha, randomAnswer } from './captcha-picture.ts'

const lifeSeconds = 120

export async function issueCaptcha(db: Db, clock: Clock) {
  const now = clock.now()
  const answer = randomAnswer()
  const codeID = randomUUID()
  await db.deleteFrom('captcha').where('expires_at', '<', new Date(now)).execute()
  await db
    .insertInto('captcha')
    .values({ code_id: codeID, answer, expires_at: new Date(now + lifeSeconds * 1000) })
    .execute()
  return { codeID, url: drawCaptcha(answer), expire: lifeSeconds }
}

/** Right or wrong, a captcha can be tried once. */
export async function useCaptcha(db: Db, clock: Clock, codeID: string, code: string): Promise<boolean> {
  const row = await db.deleteFrom('captcha').where('code_id', '=', codeID).returningAll().executeTakeFirst()
  return row !== undefined && row.expires_at.getTime() >= clock.now() && row.answer === code.toUpperCase()
}

/** Right, and needed once more: who has given the right password is asked for the second factor next. */
export async function giveBackCaptcha(db: Db, clock: Clock, codeID: string, code: string): Promise<void> {
  await db
    .insertInto('captcha')
    .values({ code_id: codeID, answer: code.toUpperCase(), expires_at: new Date(clock.now() + lifeSeconds * 1000) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
