/** decisions.md 4.4: the list hides keys, and what comes back hidden means what is stored. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { type ChannelSettings, channelMask } from '@ithings/contract/features/notify.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'

/** Robots and many webhooks carry their key in the path or the query: the host is all that may be told. */
export function maskAddress(text: string): string {
  const url = URL.parse(text)
  if (!url) return ''
  return url.href === `${url.origin}/` ? text : `${url.origin}/${channelMask}`
}

export const maskSettings = (settings: ChannelSettings): ChannelSettings => ({
  ...settings,
  url: maskAddress(settings.url),
  secret: '',
  headers: settings.headers.map(({ key, value }) => ({ key, value: value === '' ? '' : channelMask })),
})

const refusal = (detail: Phrase, field: string) => new AppError(errors.parameter, { detail, field })

const sameHost = (one: string, other: string): boolean => {
  const origin = URL.parse(one)?.origin
  return origin !== undefined && origin === URL.parse(other)?.origin
}

function unmaskAddress(given: string, saved: string | undefined): string {
  if (!given.includes(channelMask)) return given
  if (saved !== undefined && given === maskAddress(saved)) return saved
  throw refusal(phrase('地址中的 {mask} 是被隐藏的内容，请填写完整的地址', { mask: channelMask }), 'settings.url')
}

/** A hidden value goes where it went before, to no other host: who may not read it must not have it sent to himself. */
function unmaskHeader(
  { key, value }: ChannelSettings['headers'][number],
  url: string,
  saved: ChannelSettings | undefined,
): { key: string; value: string } {
  if (value !== channelMask) return { key, value }
  const field = 'settings.headers'
  const own = saved?.headers.find((one) => one.key.toLowerCase() === key.toLowerCase())
  if (!saved || !own) throw refusal(phrase('请求头「{name}」的值是被隐藏的内容，请重新填写', { name: key }), field)
  if (!sameHost(url, saved.url))
    throw refusal(phrase('地址换了主机，请重新填写请求头「{name}」的值', { name: key }), field)
  return { key, value: own.value }
}

/**
 * Settings as they were sent, with what is stored in place of masks.
 * @param saved undefined: there is none yet
 */
export function unmaskSettings(given: ChannelSettings, saved: ChannelSettings | undefined): ChannelSettings {
  const url = unmaskAddress(given.url, saved?.url)
  return { ...given, url, headers: given.headers.map((header) => unmaskHeader(header, url, saved)) }
}
