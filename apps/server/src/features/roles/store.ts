import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { BuiltInRole } from '@ithings/contract/features/users.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'

const missing = (roleID: number) => refusal(errors.notFound, '角色 {roleID} 不存在', { roleID })

export async function findRole(db: Db, roleID: number) {
  const role = await db.selectFrom('role').selectAll().where('id', '=', roleID).executeTakeFirst()
  if (!role) throw missing(roleID)
  return role
}

/** Locked until the transaction ends, so that guards see what they guard and two replacements do not mix. */
export async function lockRole(db: Db, roleID: number) {
  const role = await db.selectFrom('role').selectAll().where('id', '=', roleID).forUpdate().executeTakeFirst()
  if (!role) throw missing(roleID)
  return role
}

/** Role 1 holds everything by definition, so that nobody can lock the last administrator out. */
export function refuseAdminRights(roleID: number, detail: Phrase): void {
  if (roleID !== BuiltInRole.admin) return
  throw new AppError(errors.parameter, { detail })
}

export const nameConflict = <T>(name: string, work: Promise<T>): Promise<T> =>
  inWords(work, {
    role_name_key: (cause) =>
      new AppError(errors.duplicate, { msg: phrase('角色名称重复'), detail: name, field: 'name', cause }),
  })
