import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { successCode } from '@ithings/contract/envelope.ts'
import { type listLoginLogs as endpoint, LogResult, type loginLogSortFields } from '@ithings/contract/features/logs.ts'
import { toSecondsStr, toStr } from '@ithings/contract/wire.ts'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { toInstants } from './date-range.ts'

const columns = {
  createdTime: 'created_at',
  userName: 'user_name',
  ipAddr: 'ip_addr',
  code: 'code',
} as const satisfies Record<(typeof loginLogSortFields)[number], string>

export async function listLoginLogs(db: Db, input: BodyOutput<typeof endpoint>) {
  const { from, to } = toInstants(input.dateRange ?? input.date)
  const texts = [
    ['user_name', input.userName],
    ['ip_addr', input.ipAddr],
    ['location', input.loginLocation],
    ['browser', input.browser],
    ['os', input.os],
  ] as const
  let filtered = db
    .selectFrom('login_log')
    .$if(from !== undefined, (q) => q.where('created_at', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (q) => q.where('created_at', '<', to ?? new Date(0)))
    .$if(input.userID !== undefined, (q) => q.where('user_id', '=', input.userID ?? 0))
    .$if(input.result !== undefined, (q) =>
      q.where('code', input.result === LogResult.success ? '=' : '<>', successCode),
    )
  for (const [column, text] of texts) {
    if (text !== undefined) filtered = filtered.where(column, 'ilike', containsPattern(text))
  }
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: true },
  })
  return {
    total: page.total,
    list: page.list.map((row) => ({
      id: toStr(row.id),
      userID: toStr(row.user_id),
      userName: row.user_name,
      ipAddr: row.ip_addr,
      loginLocation: row.location,
      browser: row.browser,
      os: row.os,
      code: toStr(row.code),
      msg: row.msg,
      createdTime: toSecondsStr(row.created_at),
    })),
  }
}
