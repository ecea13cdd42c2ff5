import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export const plainEntry = {
  user_id: 1,
  user_name: 'old',
  oper_name: '新增',
  business_type: 1,
  uri: '/api/v1/x',
  ip_addr: '127.0.0.1',
  location: '内网IP',
  req: '{}',
  resp: '{}',
  code: 200,
  msg: 'success',
  duration_ms: 1,
  request_id: 'old',
  created_at: new Date(0),
}

/** Entries of the operation log, as the program adds them. */
export async function appendEntries(db: Db, entries: Partial<typeof plainEntry>[]): Promise<void> {
  const rows = entries.map((entry) => ({ ...plainEntry, ...entry }))
  await sql`select operation_log_append(${JSON.stringify(rows)}::jsonb)`.execute(db)
}
