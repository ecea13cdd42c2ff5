/** No default password (decisions.md 4.4): the first start makes `administrator` with a given or a random one. */

import { randomInt } from 'node:crypto'
import { commonPassword } from '@ithings/contract/features/common-passwords.ts'
import { BuiltInRole, strongPassword } from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { TerminalError } from '#terminal.ts'
import { firstAccount, firstNickName } from './first-account.ts'
import { hashPassword } from './password.ts'

const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

function randomPassword(): string {
  for (;;) {
    const password = Array.from({ length: 14 }, () => letters[randomInt(letters.length)]).join('')
    if (strongPassword(password)) return password
  }
}

/** Answers the password that must be shown, when it was made up here. */
export async function ensureFirstAdmin(db: Db, given: string | undefined): Promise<string | undefined> {
  const somebody = await db.selectFrom('app_user').select('user_id').limit(1).executeTakeFirst()
  if (somebody) return undefined
  if (given !== undefined && !strongPassword(given)) {
    throw new TerminalError(phrase('ADMIN_PASSWORD 太弱：至少 8 个字符，数字、小写字母、大写字母、符号中至少两种'))
  }
  if (given !== undefined && commonPassword(given)) {
    throw new TerminalError(phrase('ADMIN_PASSWORD 是最先被人尝试的密码之一：请换一个'))
  }
  const password = given ?? randomPassword()
  const made = await db
    .insertInto('app_user')
    .values({
      user_name: firstAccount,
      nick_name: firstNickName,
      password_hash: await hashPassword(password),
      role_id: BuiltInRole.admin,
    })
    // Two servers starting on one empty database: one of them makes it and tells.
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made && given === undefined ? password : undefined
}
