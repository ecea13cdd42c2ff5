/**
 * decisions.md 2 "Password on the wire": stored as argon2id over the MD5 form, so that plain (1) and MD5 (2) logins
 * both work.
 */

import { createHash } from 'node:crypto'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { PasswordType } from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import { hash, verify } from '@node-rs/argon2'

const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex')

export const toMd5Form = (password: string, pwdType: number): string =>
  pwdType === PasswordType.md5 ? password.toLowerCase() : md5(password)

/** 19 MiB, two passes: the OWASP floor for argon2id. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of a password that nobody has, at the same cost as all others: the same every time, so that no start waits for it. */
export const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$M1yCbLLNRyhTbdQ7c5nQgA$UkoyAJ59lW0epK/D44R/icyMkdDhcb1oPu0RA/ajoGA'

export const hashPassword = (plain: string): Promise<string> => hash(md5(plain), cost)

/** @param stored '' of whoever has none, and signs in at his company's provider: no password fits */
export async function passwordMatches(stored: string, given: string, pwdType: number): Promise<boolean> {
  const fits = await verify(stored || nobodysHash, toMd5Form(given, pwdType))
  return fits && stored !== ''
}

/** For what a signed-in person may do only with his password. */
export async function refuseWrongPassword(
  user: { password_hash: string },
  input: { password: string; pwdType: number },
  refusal = { msg: phrase('密码不正确'), field: 'password' },
): Promise<void> {
  if (user.password_hash === '')
    throw new AppError(errors.password, {
      msg: phrase('该账号通过企业登录，没有密码；需要密码时请管理员重置'),
      field: refusal.field,
    })
  if (!(await passwordMatches(user.password_hash, input.password, input.pwdType))) {
    throw new AppError(errors.password, refusal)
  }
}
