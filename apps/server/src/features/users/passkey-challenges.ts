/** What a passkey signs: random, for one purpose, used once, on whichever server; five minutes. */
import { randomBytes } from 'node:crypto'
import type { Db } from '#db/schema.ts'
import type { PasskeyChallengeTable } from '#db/tables/users.ts'
import type { Clock } from '#ports/clock.ts'

/** So long the browser asks, too. */
export const challengeLifeMs = 5 * 60_000

export type Purpose = PasskeyChallengeTable['purpose']

export async function issueChallenge(db: Db, clock: Clock, purpose: Purpose, userID?: number): Promise<string> {
  const now = clock.now()
  const challenge = randomBytes(32).toString('base64url')
  await db.deleteFrom('passkey_challenge').where('expires_at', '<', new Date(now)).execute()
  await db
    .insertInto('passkey_challenge')
    .values({ challenge, purpose, user_id: userID ?? null, expires_at: new Date(now + challengeLifeMs) })
    .execute()
  return challenge
}

/** Right or wrong, it can be answered once. */
export async function spendChallenge(
  db: Db,
  clock: Clock,
  challenge: string,
  purpose: Purpose,
  userID?: number,
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .returningAll()
    .executeTakeFirst()
  return (
    row !== undefined &&
    row.purpose === purpose &&
    row.user_id === (userID ?? null) &&
    row.expires_at.getTime() >= clock.now()
  )
}
