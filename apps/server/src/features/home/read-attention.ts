/** Devices that somebody should look at: counts that are kept, and the newest rows by index. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import {
  type AttentionKind,
  type AttentionRow,
  attentionKinds,
  type HomeAttention,
  type HomePart,
  type readHomeAttention,
} from '@ithings/contract/features/home.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { countUndelivered, countUpgrades, listUndelivered, listUpgrades, type Stretch } from './failed-runs.ts'
import type { HomeDeps } from './home-deps.ts'
import { visiblePartsOf } from './visible-parts.ts'
import { longOfflineMs } from './work/watch-away.ts'

/** What is found in the background; the screen shows it beside newer rows. */
async function readFound(db: Db): Promise<{ offline: number; silent: number }> {
  const rows = await db
    .selectFrom('home_work')
    .select(['name', 'found'])
    .where('name', 'in', ['away', 'silent'])
    .execute()
  const of = (name: string) => rows.find((row) => row.name === name)?.found ?? 0
  return { offline: of('away'), silent: of('silent') }
}

async function listSince(
  db: Db,
  kind: 'offline' | 'silent',
  { limit, offset }: Stretch,
  now: number,
): Promise<AttentionRow[]> {
  const table = kind === 'offline' ? 'home_away' : 'home_silent'
  const before = kind === 'offline' ? now - longOfflineMs : now
  // Who has come back or left since the last look is no longer true. Pages are passed in the index alone.
  const { rows } = await sql<Pick<AttentionRow, 'productID' | 'deviceName' | 'deviceAlias' | 'since'>>`
    with page as materialized (
      select device_id, since from ${sql.table(table)} where since < ${before}
      order by since desc, device_id desc limit ${limit} offset ${offset})
    select product_id as "productID", device_name as "deviceName", device_alias as "deviceAlias", since
    from page join device using (device_id)
    where status = ${sql.lit(kind === 'offline' ? 2 : 1)}
    order by since desc, device_id desc`.execute(db)
  return rows.map((row) => ({ kind, ...row, text: '', taskUid: '' }))
}

const lists: Record<AttentionKind, (db: Db, stretch: Stretch, now: number) => Promise<AttentionRow[]>> = {
  offline: (db, stretch, now) => listSince(db, 'offline', stretch, now),
  silent: (db, stretch, now) => listSince(db, 'silent', stretch, now),
  upgrade: listUpgrades,
  config: listUndelivered,
}

/** Who may list these may see which of them need attention. */
const partOf = { offline: 'device', silent: 'device', upgrade: 'ota', config: 'config' } as const satisfies Record<
  AttentionKind,
  HomePart
>

/** Without a kind the list has the same number of each, so that thousands of one do not hide the others. */
export async function readAttention(
  deps: HomeDeps,
  { kind, limit, page }: BodyOutput<typeof readHomeAttention>,
  role: number,
): Promise<HomeAttention> {
  const { db, clock } = deps
  const now = clock.now()
  const { sees, require } = await visiblePartsOf(deps, role)
  if (kind) require(partOf[kind])
  const hidden = attentionKinds.filter((one) => !sees(partOf[one]))
  const asked = kind ? [kind] : attentionKinds.filter((one) => !hidden.includes(one))
  const stretch = { limit, offset: kind ? (page - 1) * limit : 0 }
  const [found, upgrade, config, ...listed] = await Promise.all([
    readFound(db),
    countUpgrades(db, now),
    countUndelivered(db, now),
    ...asked.map((one) => lists[one](db, stretch, now)),
  ])
  const list: AttentionRow[] = []
  for (let turn = 0; list.length < limit && listed.some((rows) => turn < rows.length); turn++) {
    for (const rows of listed) {
      const row = rows[turn]
      if (row && list.length < limit) list.push(row)
    }
  }
  const order = (row: AttentionRow) => attentionKinds.indexOf(row.kind)
  const counts = { ...found, upgrade, config }
  for (const one of hidden) counts[one] = 0
  return {
    counts,
    hidden,
    list: list.toSorted((a, b) => order(a) - order(b) || b.since - a.since),
  }
}
