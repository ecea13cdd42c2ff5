import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { toEnglish } from '@ithings/contract/english.ts'
import type {
  listOperationLogs as endpoint,
  exportOperationLogs as exportEndpoint,
  operationLogSortFields,
} from '@ithings/contract/features/logs.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { kept } from '@ithings/contract/text.ts'
import { toSecondsStr, toStr } from '@ithings/contract/wire.ts'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { placeText } from './location.ts'
import { logConditions } from './log-conditions.ts'

const columns = {
  createdTime: 'created_at',
  operUserName: 'user_name',
  operName: 'oper_name',
  businessType: 'business_type',
  code: 'code',
  duration: 'duration_ms',
} as const satisfies Record<(typeof operationLogSortFields)[number], string>

/** Names are stored in Chinese and read in either language. */
function isNamed(words: string): RawBuilder<SqlBool> {
  const names = allEndpoints.map(({ name }) => name)
  const said = names.filter((name) => toEnglish(name).toLowerCase().includes(words.toLowerCase()))
  return sql`(oper_name ilike ${containsPattern(words)} or oper_name = any (${said}::text[]))`
}

/** The entries of a filter; the export has the same. */
export async function operationsOf(db: Db, input: Omit<BodyOutput<typeof exportEndpoint>, 'format'>) {
  const conditions = await logConditions(db, input, {
    user_name: input.operUserName,
    uri: input.uri,
    ip_addr: input.operIpAddr,
    request_id: input.requestID,
  })
  if (input.operName !== undefined) conditions.push(isNamed(input.operName))
  return db
    .selectFrom('operation_log')
    .where((eb) => eb.and(conditions))
    .$if(input.businessType !== undefined, (q) => q.where('business_type', '=', input.businessType ?? 0))
}

export async function listOperationLogs(db: Db, input: BodyOutput<typeof endpoint>) {
  const page = await fetchPage(await operationsOf(db, input), (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: true },
    window: historyWindow,
  })
  return {
    total: page.total,
    list: page.list.map((row) => ({
      id: toStr(row.id),
      userID: toStr(row.user_id),
      operUserName: row.user_name,
      operName: kept(row.oper_name),
      businessType: toStr(row.business_type),
      uri: row.uri,
      operIpAddr: row.ip_addr,
      operLocation: placeText(row.location),
      req: row.req,
      resp: row.resp,
      code: toStr(row.code),
      msg: row.msg,
      createdTime: toSecondsStr(row.created_at),
      duration: row.duration_ms,
      requestID: row.request_id,
    })),
  }
}
