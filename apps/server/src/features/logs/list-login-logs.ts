import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listLoginLogs as endpoint, loginLogSortFields } from '@ithings/contract/features/logs.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { toSecondsStr, toStr } from '@ithings/contract/wire.ts'
import { fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { placeText } from './location.ts'
import { logConditions } from './log-conditions.ts'

const columns = {
  createdTime: 'created_at',
  userName: 'user_name',
  ipAddr: 'ip_addr',
  code: 'code',
} as const satisfies Record<(typeof loginLogSortFields)[number], string>

export async function listLoginLogs(db: Db, input: BodyOutput<typeof endpoint>) {
  const conditions = await logConditions(db, input, {
    user_name: input.userName,
    ip_addr: input.ipAddr,
    location: input.loginLocation,
    browser: input.browser,
    os: input.os,
  })
  const filtered = db.selectFrom('login_log').where((eb) => eb.and(conditions))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: true },
    window: historyWindow,
  })
  return {
    total: page.total,
    list: page.list.map((row) => ({
      id: toStr(row.id),
      userID: toStr(row.user_id),
      userName: row.user_name,
      ipAddr: row.ip_addr,
      loginLocation: placeText(row.location),
      browser: placeText(row.browser),
      os: placeText(row.os),
      code: toStr(row.code),
      msg: row.msg,
      createdTime: toSecondsStr(row.created_at),
    })),
  }
}
