/** The way into the outbox: a notice becomes one waiting delivery for each channel. */
import {
  type ChannelLanguage,
  type ChannelSettings,
  ChannelStatus,
  channelSettings,
} from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import { fillTemplate } from '@ithings/contract/rules/notice-template.ts'
import { kept, phrase, saying } from '@ithings/contract/text.ts'
import type { Insertable } from 'kysely'
import { jsonText, storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import { places, sealJson } from '#db/sealed.ts'
import type { NotifyDeliveryTable } from '#db/tables/notify.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { Notice } from './notice.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { openSettings } from './store.ts'
import { describeTarget, laneOf } from './target.ts'

/** Filled texts may be longer than their templates. */
const maxTitle = 400
const maxContent = 16_000
const maxPayload = 65_536

interface Destination {
  channelID: number | null
  name: string
  type: ChannelType
  settings: ChannelSettings
  language: ChannelLanguage
}

interface Found {
  destinations: Destination[]
  problems: string[]
}

async function findChannels(db: Db, ids: readonly number[]): Promise<Found> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return { destinations: [], problems: [] }
  const rows = await db
    .selectFrom('notify_channel')
    .select(['id', 'name', 'type', 'status', 'settings', 'language'])
    .where('id', 'in', wanted)
    .execute()
  const byID = new Map(rows.map((row) => [row.id, row]))
  const found: Found = { destinations: [], problems: [] }
  for (const channelID of wanted) {
    const row = byID.get(channelID)
    if (!row) found.problems.push(kept('通知渠道 {id} 不存在', { id: channelID }))
    else if (row.status !== ChannelStatus.enabled)
      found.problems.push(kept('通知渠道「{name}」已禁用', { name: row.name }))
    else
      found.destinations.push({
        channelID,
        name: row.name,
        type: row.type,
        settings: openSettings(db, row.settings),
        language: row.language,
      })
  }
  return found
}

/** One text may name several. */
const readRecipients = (to: Notice['to']['to']): string[] =>
  [to ?? []]
    .flat()
    .flatMap((text) => text.split(/[,;，；\s]+/))
    .filter(Boolean)

/** A scene may name its receiver itself. */
function readInline({ type, url, to, secret, language = '' }: Notice['to']): Found {
  if (!url && (!to || to.length === 0)) return { destinations: [], problems: [] }
  const kind: ChannelType = type ?? (url ? 'webhook' : 'email')
  const parsed = channelSettings.safeParse(
    kind === 'email' ? { to: readRecipients(to) } : { url: url ?? '', secret: secret ?? '' },
  )
  if (!parsed.success || (kind === 'email' ? parsed.data.to.length === 0 : parsed.data.url === '')) {
    const fault = phrase(parsed.error?.issues[0]?.message ?? '请填写地址或收件人')
    return { destinations: [], problems: [kept('通知地址无效：{fault}', { fault })] }
  }
  return {
    destinations: [{ channelID: null, name: '', type: kind, settings: parsed.data, language }],
    problems: [],
  }
}

/** Undefined: it is too much. */
function payloadText(notice: Notice): string | undefined {
  const text = jsonText(notice.payload ?? {})
  return text.length <= maxPayload ? text : undefined
}

/** Sentences of a notice are kept ones; from here on they are what this receiver reads. */
function inLanguage(notice: Notice, language: ChannelLanguage): Notice {
  const said = saying(translatorOf(language))
  const { title, content, variables, payload } = notice
  return { ...notice, ...JSON.parse(JSON.stringify({ title, content, variables, payload }, said)) }
}

const filled = (template: string, { variables }: Notice, max: number): string =>
  storableText(fillTemplate(template, variables)).slice(0, max)

const toRow = (db: Db, notice: Notice, to: Destination, now: number): Insertable<NotifyDeliveryTable> => ({
  channel_id: to.channelID,
  channel_name: to.name,
  type: to.type,
  settings: sealJson(db, places.delivery, JSON.stringify(to.settings)),
  language: to.language,
  target: describeTarget(to.type, to.settings),
  lane: laneOf(to.type, to.settings),
  title: filled(notice.title || notice.sourceName, notice, maxTitle),
  content: filled(notice.content, notice, maxContent),
  payload: payloadText(notice) ?? '{}',
  source: notice.source,
  source_name: notice.sourceName,
  product_id: notice.productID ?? '',
  device_name: notice.deviceName ?? '',
  once_key: notice.onceKey ? `${notice.onceKey}:${to.channelID ?? 'inline'}` : '',
  attachment: JSON.stringify(notice.attachment ?? {}),
  created_at: now,
  next_at: now,
})

/**
 * Stored is promised: what is in the outbox is sent, or its failure can be seen. Inside a transaction (`trx`) it counts
 * when that commits. `deliveries` counts those that an earlier call with the same `onceKey` made, too.
 */
export async function queueNotice(
  deps: Pick<NotifyDeps, 'db' | 'clock' | 'bell'>,
  notice: Notice,
  trx?: Db,
): Promise<{ deliveries: number; problems: string[] }> {
  const db = trx ?? deps.db
  const channels = await findChannels(db, notice.to.channelIDs)
  const inline = readInline(notice.to)
  const destinations = [...channels.destinations, ...inline.destinations]
  const problems = [...channels.problems, ...inline.problems]
  if (destinations.length === 0) return { deliveries: 0, problems }
  const notices = destinations.map((to) => ({ to, notice: inLanguage(notice, to.language) }))
  if (notices.some((one) => payloadText(one.notice) === undefined))
    problems.push(kept('附加数据超过 {count} 个字符，未随通知发送', { count: maxPayload }))
  const now = deps.clock.now()
  await db
    .insertInto('notify_delivery')
    .values(notices.map((one) => toRow(db, one.notice, one.to, now)))
    .onConflict((conflict) => conflict.column('once_key').where('once_key', '<>', '').doNothing())
    .execute()
  if (!trx) deps.bell.ring()
  return { deliveries: destinations.length, problems }
}
