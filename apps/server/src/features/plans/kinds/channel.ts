/**
 * Notification channels. An address carries its key in the path or the query, headers carry theirs in the value: files have
 * `channelMask` in their place, as lists have, and so for the secret. What comes back hidden means what stands.
 */
import { AppError, errors } from '@ithings/contract/errors.ts'
import {
  type ChannelSettings,
  ChannelStatus,
  channelLanguages,
  channelMask,
  channelSettings,
  createChannel,
  deleteChannel,
  listChannels,
  updateChannel,
} from '@ithings/contract/features/notify.ts'
import { channelTypes } from '@ithings/contract/rules/channel-types.ts'
import { phrase } from '@ithings/contract/text.ts'
import { oneOf, text } from '@ithings/contract/wire.ts'
import * as z from 'zod'
import { maskSettings, openSettings, unmaskSettings } from '#features/notify/door.ts'
import type { Kind, Spec } from './kind.ts'
import { readSpec } from './read-spec.ts'

const schema = z.object({
  type: z.enum(channelTypes),
  status: oneOf(ChannelStatus).default(ChannelStatus.enabled),
  desc: text(200).default(''),
  language: z.enum(channelLanguages).default(''),
  settings: channelSettings.extend({ secret: channelSettings.shape.secret.unwrap().optional() }),
})
type Settings = ChannelSettings
type ChannelSpec = Omit<z.output<typeof schema>, 'settings'> & { settings: Settings }

/** Left out, the secret stays; '' takes it away. That of one kind of channel is none of another. */
function secretOf(given: string | undefined, stands: string | undefined): string {
  if (given === undefined) return stands ?? ''
  if (given !== channelMask) return given
  if (stands) return stands
  throw new AppError(errors.parameter, {
    detail: phrase('签名密钥是被隐藏的内容，请填写，或去掉这个字段'),
    field: 'settings.secret',
  })
}

/** Behind what a mask stands for, on the side where it is another one. */
const changedMark = ' *'

function hideSettings(settings: Settings, other: Settings | undefined): Spec {
  const { secret, headers, ...rest } = maskSettings(settings)
  const marked = (mask: string, own: string, theirs: string | undefined) =>
    theirs !== undefined && own !== theirs && mask.endsWith(channelMask) ? `${mask}${changedMark}` : mask
  const theirHeader = (key: string) => other?.headers.find((header) => header.key === key)?.value
  return {
    ...rest,
    url: marked(rest.url, settings.url, other?.url),
    headers: headers.map(({ key, value }, i) => ({
      key,
      value: marked(value, settings.headers[i]?.value ?? '', theirHeader(key)),
    })),
    ...(settings.secret !== '' && { secret: marked(channelMask, settings.secret, other?.secret) }),
  }
}

export const channelKind: Kind = {
  kind: 'channel',
  seenBy: () => ({ endpoint: listChannels, body: {} }),
  async load(db) {
    const rows = await db.selectFrom('notify_channel').selectAll().orderBy('name').execute()
    return rows.map(({ id, name, type, status, description: desc, language, settings }) => ({
      name,
      id,
      spec: { type, status, desc, language, settings: openSettings(db, settings) },
    }))
  },
  async read(_db, given, standing) {
    const before = standing as ChannelSpec | undefined
    const spec = readSpec(schema, given)
    const stands = before?.type === spec.type ? before.settings : undefined
    const secret = secretOf(spec.settings.secret, stands?.secret)
    return { ...spec, settings: unmaskSettings({ ...spec.settings, secret }, before?.settings) }
  },
  hide: (spec, other) => ({
    ...spec,
    settings: hideSettings((spec as ChannelSpec).settings, (other as ChannelSpec | undefined)?.settings),
  }),
  async create({ ask }, name, spec) {
    await ask(createChannel, { ...(spec as ChannelSpec), name })
  },
  async update({ ask }, { id, name }, spec) {
    const { settings } = spec as ChannelSpec
    await ask(updateChannel, { ...(spec as ChannelSpec), id, name, clearSecret: settings.secret === '' })
  },
  async remove({ ask }, { id }) {
    await ask(deleteChannel, { id })
  },
}
