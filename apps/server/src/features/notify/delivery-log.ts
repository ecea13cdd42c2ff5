import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import {
  ChannelStatus,
  DeliveryState,
  type listDeliveries as listEndpoint,
  type retryDelivery as retryEndpoint,
} from '@ithings/contract/features/notify.ts'
import { historyWindow } from '@ithings/contract/paging.ts'
import { phrase } from '@ithings/contract/text.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { jsonText } from '#db/json-text.ts'
import { containsPattern, fetchPage } from '#db/page.ts'
import { places, sealJson } from '#db/sealed.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { findChannel } from './store.ts'
import { describeTarget, laneOf } from './target.ts'

export async function listDeliveries({ db }: NotifyDeps, input: BodyOutput<typeof listEndpoint>) {
  const { channelID, type, state, source, keyword, timeStart, timeEnd } = input
  let filtered = db.selectFrom('notify_delivery')
  // 0 asks for those that a scene addressed itself.
  if (channelID === 0) filtered = filtered.where('channel_id', 'is', null)
  else if (channelID !== undefined) filtered = filtered.where('channel_id', '=', channelID)
  if (type) filtered = filtered.where('type', '=', type)
  if (state !== undefined) filtered = filtered.where('state', '=', state)
  if (source) filtered = filtered.where('source', '=', source)
  if (timeStart) filtered = filtered.where('created_at', '>=', timeStart)
  if (timeEnd) filtered = filtered.where('created_at', '<', timeEnd)
  if (keyword) {
    const pattern = containsPattern(keyword)
    filtered = filtered.where((eb) =>
      eb.or(
        (['title', 'content', 'target', 'channel_name', 'source_name', 'device_name', 'error'] as const).map((column) =>
          eb(column, 'ilike', pattern),
        ),
      ),
    )
  }
  const page = await fetchPage(filtered, (query) => query.selectAll(), input.page, {
    columns: { createdTime: 'created_at', sentTime: 'sent_at', state: 'state' },
    fallback: { column: 'id', desc: true },
    window: historyWindow,
  })
  const list = page.list.map((row) => ({
    id: toStr(row.id),
    channelID: row.channel_id ?? 0,
    channelName: row.channel_name,
    type: row.type,
    target: row.target,
    title: row.title,
    content: row.content,
    state: row.state,
    attempts: row.attempts,
    code: row.code,
    error: row.error,
    source: row.source,
    sourceName: row.source_name,
    productID: row.product_id,
    deviceName: row.device_name,
    createdTime: row.created_at,
    sentTime: row.sent_at,
    nextTime: row.state === DeliveryState.waiting ? row.next_at : 0,
    latency: row.latency,
  }))
  return { list, total: page.total }
}

/** With the channel as it is now: what made it fail may have been corrected there. Its first try is due at once. */
export async function retryDelivery({ db: pool, clock, bell }: NotifyDeps, input: BodyOutput<typeof retryEndpoint>) {
  if (!/^\d{1,15}$/.test(input.id)) throw refusal(errors.notFound, '通知记录不存在')
  await pool.transaction().execute(async (db) => {
    const row = await db
      .selectFrom('notify_delivery')
      .select(['id', 'state', 'channel_id'])
      .where('id', '=', Number(input.id))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw refusal(errors.notFound, '通知记录不存在')
    if (row.state !== DeliveryState.failed) throw refusal(errors.parameter, '只有失败的通知可以重发')
    if (row.channel_id === null) throw refusal(errors.parameter, '渠道已删除或地址写在场景中，不再保存，不能重发')
    const channel = await findChannel(db, row.channel_id)
    if (channel.status !== ChannelStatus.enabled) {
      throw new AppError(errors.notEnabled, { msg: phrase('通知渠道「{name}」已禁用', { name: channel.name }) })
    }
    await db
      .updateTable('notify_delivery')
      .set({
        state: DeliveryState.waiting,
        attempts: 0,
        code: 0,
        error: '',
        channel_name: channel.name,
        type: channel.type,
        settings: sealJson(db, places.delivery, jsonText(channel.settings)),
        target: describeTarget(channel.type, channel.settings),
        lane: laneOf(channel.type, channel.settings),
        next_at: clock.now(),
        claimed_at: 0,
      })
      .where('id', '=', row.id)
      .execute()
  })
  bell.ring()
}
