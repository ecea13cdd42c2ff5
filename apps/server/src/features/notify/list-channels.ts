import { dayMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type Channel, DeliveryState, type listChannels as listEndpoint } from '@ithings/contract/features/notify.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { type Selectable, sql } from 'kysely'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import type { NotifyChannelTable } from '#db/tables/notify.ts'
import { maskSettings } from './masked-settings.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { findChannel, openSettings } from './store.ts'

/** The last try and the counts of the last day, by channel. */
async function readStates(db: Db, ids: readonly number[], now: number) {
  const { rows } = await sql<{
    id: number
    sent: number
    failed: number
    lastTime: number | null
    lastState: number | null
    lastError: string | null
  }>`
    select c.id, day.sent, day.failed, last.at as "lastTime", last.state as "lastState", last.error as "lastError"
    from unnest(${ids}::integer[]) as c (id)
    cross join lateral (
      select count(*) filter (where state = ${DeliveryState.sent}) as sent,
        count(*) filter (where state = ${DeliveryState.failed}) as failed
      from notify_delivery where channel_id = c.id and created_at > ${now - dayMs}
    ) day
    left join lateral (
      select greatest(sent_at, claimed_at) as at, state, error
      from notify_delivery where channel_id = c.id and attempts > 0
      order by created_at desc limit 1
    ) last on true`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** With the settings whole, except the secret, which nobody can read. */
async function toChannels({ db, clock }: NotifyDeps, rows: readonly Selectable<NotifyChannelTable>[]) {
  const ids = rows.map((row) => row.id)
  const states = await readStates(db, ids, clock.now())
  return rows.map((row): Channel => {
    const settings = openSettings(db, row.settings)
    const state = states.get(row.id)
    return {
      id: row.id,
      name: row.name,
      type: row.type,
      status: row.status,
      desc: row.description,
      language: row.language,
      settings: { ...settings, secret: '' },
      hasSecret: settings.secret !== '',
      createdTime: toSeconds(row.created_at),
      rev: row.rev,
      lastSentTime: state?.lastTime ?? 0,
      lastState: state?.lastState ?? 0,
      lastError: state?.lastError ?? '',
      sent: state?.sent ?? 0,
      failed: state?.failed ?? 0,
    }
  })
}

export async function listChannels(deps: NotifyDeps, input: BodyOutput<typeof listEndpoint>) {
  const { name, type, status } = input
  const filtered = deps.db
    .selectFrom('notify_channel')
    .$if(name !== undefined, (query) => query.where('name', 'ilike', containsPattern(name ?? '')))
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'webhook'))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 0))
  const page = await fetchPage(filtered, (query) => query.selectAll(), input.page, {
    columns: { name: 'name', createdTime: 'created_at', status: 'status', type: 'type' },
    fallback: { column: 'id', desc: true },
  })
  const channels = await toChannels(deps, page.list)
  const list = channels.map((channel) => ({ ...channel, settings: maskSettings(channel.settings) }))
  return { list, total: page.total, mailReady: deps.mailReady }
}

export async function readChannel(deps: NotifyDeps, { id }: { id: number }): Promise<Channel> {
  const [channel] = await toChannels(deps, [await findChannel(deps.db, id)])
  return channel as Channel
}
