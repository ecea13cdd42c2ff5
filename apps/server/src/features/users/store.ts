import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import { BuiltInRole, EnabledStatus, type profileFields } from '@ithings/contract/features/users.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql, type Updateable } from 'kysely'
import type * as z from 'zod'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import type { UserTable } from '#db/tables/users.ts'

export async function findUser(db: Db, userID: number) {
  const user = await db.selectFrom('app_user').selectAll().where('user_id', '=', userID).executeTakeFirst()
  if (!user) throw refusal(errors.notFound, '用户 {userID} 不存在', { userID })
  return user
}

/** Locked until the transaction ends, so that guards see what they guard. */
export async function lockUser(db: Db, userID: number) {
  const user = await db.selectFrom('app_user').selectAll().where('user_id', '=', userID).forUpdate().executeTakeFirst()
  if (!user) throw refusal(errors.notFound, '用户 {userID} 不存在', { userID })
  return user
}

/** http-api.md 2.2: the account is a user name, a phone or an e-mail address. */
export const findByAccount = (db: Db, account: string) =>
  db
    .selectFrom('app_user')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb(sql<string>`lower(user_name)`, '=', account.toLowerCase()),
        eb.and([eb('phone', '=', account), eb('phone', '<>', '')]),
        eb.and([eb(sql<string>`lower(email)`, '=', account.toLowerCase()), eb('email', '<>', '')]),
      ]),
    )
    .executeTakeFirst()

/**
 * For changes that may take an administrator away: one at a time, by the lock of role 1, which is always taken first.
 * Locking the administrators themselves would let two such changes wait for each other.
 */
export async function lockUserAndAdmins(db: Db, userID: number) {
  await db.selectFrom('role').select('id').where('id', '=', BuiltInRole.admin).forNoKeyUpdate().execute()
  return lockUser(db, userID)
}

/**
 * Somebody must be able to administer, by a password of his own: a provider of the company may be away. Needs
 * lockUserAndAdmins.
 */
export async function isLastAdmin(db: Db, userID: number): Promise<boolean> {
  const admins = await db
    .selectFrom('app_user')
    .select('user_id')
    .where('role_id', '=', BuiltInRole.admin)
    .where('status', '=', EnabledStatus.enabled)
    .where('password_hash', '<>', '')
    .limit(2)
    .execute()
  return admins.length === 1 && admins[0]?.user_id === userID
}

export async function refuseLosingLastAdmin(db: Db, userID: number): Promise<void> {
  if (await isLastAdmin(db, userID)) {
    throw refusal(errors.parameter, '这是最后一个可用的管理员，不能删除、禁用或更换角色')
  }
}

export async function requireRole(db: Db, roleID: number): Promise<void> {
  const role = await db.selectFrom('role').select('id').where('id', '=', roleID).executeTakeFirst()
  if (!role) throw badField('role', '角色 {roleID} 不存在', { roleID })
}

export const nameConflicts = <T>(work: Promise<T>): Promise<T> =>
  inWords(work, {
    app_user_name_key: (cause) =>
      new AppError(errors.duplicateRegister, { msg: phrase('用户名已存在'), field: 'userName', cause }),
    app_user_phone_key: (cause) => new AppError(errors.duplicateMobile, { field: 'phone', cause }),
    app_user_email_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('邮箱已经被占用'), field: 'email', cause }),
    // The role was deleted between our look at it and the write.
    app_user_role_id_fkey: (cause) =>
      new AppError(errors.parameter, { detail: phrase('角色不存在'), field: 'role', cause }),
  })

type Profile = z.output<typeof profileFields>

const profileColumns = {
  nickName: 'nick_name',
  phone: 'phone',
  email: 'email',
  sex: 'sex',
  city: 'city',
  province: 'province',
  country: 'country',
  language: 'language',
  wechat: 'wechat',
  headImgUrl: 'head_img_url',
} as const satisfies Record<keyof Profile, keyof UserTable>

/** Absent fields stay as they are. */
export function profileChanges(profile: Profile): Updateable<UserTable> {
  const changes: Record<string, unknown> = {}
  for (const [field, column] of Object.entries(profileColumns)) {
    const value = profile[field as keyof Profile]
    if (value !== undefined) changes[column] = value
  }
  return changes
}
