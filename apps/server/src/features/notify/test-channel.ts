import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField, errors, refusal } from '@ithings/contract/errors.ts'
import {
  type ChannelLanguage,
  type ChannelSettings,
  DeliveryState,
  type testChannel as testEndpoint,
} from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { translatorOf } from '#http/answer-language.ts'
import { unmaskSettings } from './masked-settings.ts'
import type { NotifyDeps } from './notify-deps.ts'
import { errorText } from './outbox-store.ts'
import { findChannel, refuseBadHeaders } from './store.ts'
import { describeTarget, laneOf } from './target.ts'

const testTitle = 'iThings 测试通知'
const testContent = '收到这条消息，说明通知渠道可以使用。'
const testSource = '测试'

interface Subject {
  id: number | null
  name: string
  type: ChannelType
  settings: ChannelSettings
  language: ChannelLanguage
}

/** The saved channel, or the form as it is; the form's empty secret and its masks stand for what is saved. */
async function readSubject(db: Db, input: BodyOutput<typeof testEndpoint>): Promise<Subject> {
  const saved = input.id === undefined ? undefined : await findChannel(db, input.id)
  const type = input.type ?? saved?.type
  const given = input.settings ?? saved?.settings
  if (!type || !given) throw refusal(errors.parameter, '请给出渠道 id，或渠道类型和设置')
  const settings = unmaskSettings(given, saved?.settings)
  const secret = settings.secret || (saved?.type === type ? saved.settings.secret : '')
  const language = input.language ?? saved?.language ?? ''
  const named = { id: saved?.id ?? null, name: saved?.name ?? '' }
  const subject: Subject = { ...named, type, language, settings: { ...settings, secret } }
  if (type === 'email' ? settings.to.length === 0 : settings.url === '') {
    throw badField('settings', '请填写地址或收件人')
  }
  refuseBadHeaders(settings)
  return subject
}

/** Sends at once, past the outbox: somebody looks at the button. It is in the log like every other. */
export async function testChannel(deps: NotifyDeps, input: BodyOutput<typeof testEndpoint>) {
  const { db, clock, senders, metrics } = deps
  const { id, name, type, settings, language } = await readSubject(db, input)
  const by = translatorOf(language)
  const texts = { title: by(testTitle), content: by(testContent) }
  const now = clock.now()
  const begun = performance.now()
  const answer = await senders[type]({
    id: `test-${now}`,
    settings,
    language,
    ...texts,
    payload: {},
    source: 'test',
    sourceName: by(testSource),
    productID: '',
    deviceName: '',
    createdTime: now,
  })
  const latency = Math.round(performance.now() - begun)
  metrics.tries.inc({ type, result: answer.ok ? 'sent' : 'failed' })
  await db
    .insertInto('notify_delivery')
    .values({
      channel_id: id,
      channel_name: name,
      type,
      settings: '{}',
      target: describeTarget(type, settings),
      lane: laneOf(type, settings),
      language,
      ...texts,
      state: answer.ok ? DeliveryState.sent : DeliveryState.failed,
      attempts: 1,
      code: answer.code,
      error: errorText(answer),
      source: 'test',
      source_name: kept(testSource),
      created_at: now,
      next_at: 0,
      claimed_at: now,
      sent_at: answer.ok ? clock.now() : 0,
      latency,
    })
    .execute()
  return { ok: answer.ok, code: answer.code, msg: answer.warning ?? answer.msg, latency }
}
