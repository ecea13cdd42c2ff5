/** The form of a channel: flat, checked with the contract's own schemas, and back to what the wire wants. Pure. */

import {
  type Channel,
  type ChannelSettings,
  ChannelStatus,
  channelBody,
  channelMask,
  channelSettings,
} from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import { t } from '@ithings/contract/text.ts'
import * as z from 'zod'

const { name, type, status, desc, language } = channelBody.shape
const header = z.object({ key: z.string().default(''), value: z.string().default('') })

/** Which fields count for which type. */
export const takesSecret = (kind: ChannelType | undefined): boolean =>
  kind === 'webhook' || kind === 'dingtalk' || kind === 'feishu'
export const isRobot = (kind: ChannelType | undefined): boolean =>
  kind === 'dingtalk' || kind === 'wecom' || kind === 'feishu'

/** Lenient about what belongs to another type: what somebody typed before changing the type must not hold them up. */
const fields = z.object({
  name,
  type,
  status,
  desc,
  language,
  url: z.string().trim().default(''),
  secret: z.string().default(''),
  clearSecret: z.boolean().optional(),
  headers: z.array(header).default([]),
  to: z.array(z.string()).default([]),
  mentions: z.array(z.string()).default([]),
})
export type ChannelFormValues = z.output<typeof fields>

export const channelForm = fields.superRefine((values, context) => {
  if (values.type === 'email' ? values.to.length === 0 : values.url === '') {
    context.addIssue({ code: 'custom', path: [values.type === 'email' ? 'to' : 'url'], message: t('不能为空') })
    return
  }
  const judged = channelSettings.safeParse(settingsOf(values))
  for (const issue of judged.error?.issues ?? []) context.addIssue({ ...issue, path: [...issue.path] })
})
export type ChannelFormInput = z.input<typeof channelForm>

export const newChannel: Partial<ChannelFormInput> = {
  type: 'webhook',
  status: ChannelStatus.enabled,
  name: '',
  desc: '',
  url: '',
  secret: '',
  headers: [],
  to: [],
  mentions: [],
}

/** A channel for which nobody chose a language is spoken to in Chinese. */
export const formOf = (channel: Channel) => ({
  name: channel.name,
  type: channel.type,
  status: channel.status as ChannelStatus,
  desc: channel.desc,
  language: channel.language || ('zh' as const),
  ...channel.settings,
})

/** What another type left behind in the form does not travel. */
export function settingsOf(values: ChannelFormValues) {
  const kind = values.type
  return {
    url: kind === 'email' ? '' : values.url,
    secret: takesSecret(kind) ? values.secret : '',
    headers: kind === 'webhook' ? values.headers : [],
    to: kind === 'email' ? values.to : [],
    mentions: isRobot(kind) ? values.mentions : [],
  }
}

export const bodyOf = (values: ChannelFormValues) => ({
  name: values.name,
  type: values.type,
  status: values.status,
  desc: values.desc,
  language: values.language,
  settings: settingsOf(values),
})

type Hidden = Pick<ChannelSettings, 'url' | 'headers'>

/** The list does not tell keys (channelMask); saved like that they stay what they are. */
export const isMasked = ({ url, headers }: Hidden): boolean =>
  url.includes(channelMask) || headers.some(({ value }) => value === channelMask)

/** What still shows a mask gets what it stands for; what was typed meanwhile stays. */
export function unmask({ url, headers }: Hidden, saved: Hidden): Hidden {
  const savedValue = (key: string) => saved.headers.find((one) => one.key.toLowerCase() === key.toLowerCase())?.value
  return {
    url: url.includes(channelMask) ? saved.url : url,
    headers: headers.map(({ key, value }) => ({ key, value: value === channelMask ? (savedValue(key) ?? '') : value })),
  }
}

/** Where a channel goes, without the keys that addresses carry. */
export function targetText({ type: kind, settings }: Pick<Channel, 'type' | 'settings'>): string {
  if (kind === 'email') return settings.to.join(t('、'))
  return URL.parse(settings.url)?.host ?? settings.url
}
