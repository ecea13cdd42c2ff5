import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listUsers as listUsersEndpoint, userSortFields } from '@ithings/contract/features/users.ts'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { toUserInfo } from './user-wire.ts'

const columns = {
  userID: 'user_id',
  userName: 'user_name',
  nickName: 'nick_name',
  role: 'role_id',
  status: 'status',
  createdTime: 'created_at',
  lastLoginTime: 'last_login_at',
} as const satisfies Record<(typeof userSortFields)[number], string>

export async function listUsers(db: Db, input: BodyOutput<typeof listUsersEndpoint>) {
  const { userName, nickName, phone, email, role, status } = input
  const filtered = db.selectFrom('app_user').where((eb) =>
    asked(eb, {
      equal: { role_id: role, status },
      contains: { user_name: userName, nick_name: nickName, phone, email },
    }),
  )
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'user_id', desc: false },
  })
  return { list: page.list.map(toUserInfo), total: page.total }
}
