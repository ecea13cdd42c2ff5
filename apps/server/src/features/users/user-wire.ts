import type { UserInfo } from '@ithings/contract/features/users.ts'
import { toSecondsStr, toStr } from '@ithings/contract/wire.ts'
import type { Selectable } from 'kysely'
import type { UserTable } from '#db/tables/users.ts'
import { nickText } from './first-account.ts'
import type { TokenSubject } from './token.ts'

export type UserRow = Selectable<UserTable>

export const toSubject = (row: UserRow): TokenSubject => ({
  userID: row.user_id,
  role: row.role_id,
  isAllData: row.is_all_data,
  version: row.token_version,
})

/** Is the password alone not enough? */
export const hasSecondFactor = (row: Pick<UserRow, 'totp_at' | 'passkeys'>): boolean =>
  row.totp_at !== null || row.passkeys > 0

export const toUserInfo = (row: UserRow): UserInfo => ({
  userID: toStr(row.user_id),
  userName: row.user_name,
  nickName: nickText(row),
  sex: row.sex,
  city: row.city,
  country: row.country,
  province: row.province,
  language: row.language || 'zh_CN',
  headImgUrl: row.head_img_url,
  regIP: row.reg_ip,
  lastIP: row.last_ip,
  wechat: row.wechat,
  phone: row.phone,
  email: row.email,
  role: row.role_id,
  isAllData: row.is_all_data,
  createdTime: toSecondsStr(row.created_at),
  status: row.status,
  lastLoginTime: toSecondsStr(row.last_login_at),
  secondFactor: hasSecondFactor(row),
  passkeys: row.passkeys,
  rev: row.rev,
})
