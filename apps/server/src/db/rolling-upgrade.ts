/**
 * Which versions of the program may work on one database at the same time (scaling.md 3 "滚动重启和升级"). A version is
 * named by the newest migration it knows. A migration that only adds lets older programs run on; one that takes
 * something away names the first program that does without it.
 */
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Background } from '#background/background.ts'
import { TerminalError } from '#terminal.ts'
import type { Db } from './schema.ts'

/** Servers before this migration did not tell what they know. */
const firstThatTells = 36

export interface Applied {
  checksum: string | null
  oldest: number
}

export class NewerDatabaseError extends TerminalError {}
export class OldServersError extends TerminalError {}

/** Of a migration's text; without the sentence only programs that know the migration may run with it. */
export function oldestOf(text: string): number | undefined {
  const found = /^-- Programs that know (\d{4}) may run beside this\.$/m.exec(text)
  return found ? Number(found[1]) : undefined
}

const refusal = (oldest: number, own: number) =>
  new NewerDatabaseError(
    phrase('数据库由本程序的更新版本建立（需要迁移 {oldest}，本程序只到 {own}），请启动那个版本', { oldest, own }),
  )

/** @returns whether a newer program was here, beside which this one may run */
export function refuseNewer(applied: ReadonlyMap<number, Applied>, own: number): boolean {
  const newer = [...applied].filter(([version]) => version > own)
  const oldest = Math.max(0, ...newer.map(([, one]) => one.oldest))
  if (oldest > own) throw refusal(oldest, own)
  return newer.length > 0
}

interface Living {
  name: string
  version: string
  schema: number
}

/** The servers that the database has seen within three beats (features/devices/heartbeat.ts). */
async function readLiving(client: pg.Client): Promise<Living[]> {
  const { rows: there } = await client.query(`select from pg_attribute
    where attrelid = to_regclass('platform_server') and attname = 'facts' and not attisdropped`)
  if (there.length === 0) return []
  const { rows } = await client.query<Living>(
    `select coalesce(facts ->> 'name', server_id) as name, coalesce(facts ->> 'version', '?') as version,
      coalesce((facts ->> 'schema')::integer, $1) as schema
    from platform_server where seen_at >= (extract(epoch from clock_timestamp()) * 1000)::bigint - 15000 order by 1`,
    [firstThatTells - 1],
  )
  return rows
}

/** A server must not lose what it works with: whoever upgrades is told which one has to be upgraded or stopped first. */
export async function refuseOldServers(
  client: pg.Client,
  due: ReadonlyArray<{ file: string; oldest: number; version: number }>,
): Promise<void> {
  const strict = due.filter(({ oldest }) => oldest >= firstThatTells)
  if (strict.length === 0) return
  for (const { name, version, schema } of await readLiving(client)) {
    const broken = strict.find(({ oldest }) => oldest > schema)
    if (broken)
      throw new OldServersError(
        phrase(
          '服务器 {name}（版本 {version}）在运行，不能应用 {file}：它只到迁移 {schema}，需要 {oldest}；请停止它，或先升级到中间的版本',
          { ...broken, name, version, schema },
        ),
      )
  }
}

/** While the server works, too: a newer one may have taken it for dead and passed it by. */
export function watchSchema(
  { db, background }: { db: Db; background: Background },
  own: number,
  onLost: (error: Error) => void,
) {
  const run = async () => {
    const { rows } = await sql<{ oldest: number | null }>`
      select max(coalesce(oldest, version)) as oldest from schema_migration where version > ${own}`.execute(db)
    const oldest = rows[0]?.oldest ?? 0
    if (oldest > own) onLost(refusal(oldest, own))
  }
  const loop = background.every({ name: 'schema', everyMs: 5_000, run })
  return () => loop.stop()
}
