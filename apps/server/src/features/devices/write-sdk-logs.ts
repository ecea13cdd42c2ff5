import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

export interface SdkLogLine {
  /** ms */
  at: number
  logLevel: number
  content: string
}

/** Lines that a device writes itself (device-protocol.md 7); a message of them is one statement. */
export async function writeSdkLogs(
  db: Db,
  { deviceID, productID }: { deviceID: number; productID: string },
  lines: SdkLogLine[],
): Promise<void> {
  await sql`
    insert into sdk_log (device_id, product_id, at, log_level, content)
    select ${deviceID}, ${productID}, line.at, line.log_level, line.content
    from unnest(${lines.map((line) => line.at)}::bigint[], ${lines.map((line) => line.logLevel)}::smallint[],
      ${lines.map((line) => line.content)}::text[]) with ordinality as line (at, log_level, content, place)
    order by line.place`.execute(db)
}
