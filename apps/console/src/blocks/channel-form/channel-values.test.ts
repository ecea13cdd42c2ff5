import { type Channel, channelBody, channelMask } from '@ithings/contract/features/notify.ts'
import { expect, test } from 'vitest'
import { checkAll } from '#kit/form/schema-rules.ts'
import { bodyOf, channelForm, formOf, isMasked, newChannel, targetText, unmask } from './channel-values.ts'

const labels = new Map([
  ['url', '地址'],
  ['to', '收件人'],
])
const check = (values: object) => checkAll(channelForm, { ...newChannel, name: '值班群', ...values }, labels)

const channel: Channel = {
  id: 3,
  name: '值班群',
  type: 'dingtalk',
  status: 2,
  desc: '夜班',
  language: 'en',
  settings: {
    url: 'https://oapi.dingtalk.com/robot/send?access_token=t',
    secret: '',
    headers: [],
    to: [],
    mentions: ['all'],
  },
  hasSecret: true,
  createdTime: 0,
  rev: 4,
  lastSentTime: 0,
  lastState: 0,
  lastError: '',
  sent: 0,
  failed: 0,
}

test('an address is asked for unless it is a mail, recipients only then', () => {
  expect(check({ type: 'webhook' })).toEqual({ problems: [{ path: ['url'], text: '地址不能为空' }] })
  expect(check({ type: 'email', url: 'https://example.com' })).toEqual({
    problems: [{ path: ['to'], text: '收件人不能为空' }],
  })
})

test('what the server would refuse is refused in the form', () => {
  expect(check({ url: 'ftp://example.com' })).toMatchObject({ problems: [{ path: ['url'] }] })
  expect(check({ type: 'email', to: ['nobody'] })).toMatchObject({
    problems: [{ text: expect.stringContaining('不是有效的邮箱地址') }],
  })
  expect(check({ name: '', url: 'https://example.com' })).toMatchObject({ problems: [{ path: ['name'] }] })
})

test('what was typed for another type does not hold up this one', () => {
  const left = { url: 'nonsense', headers: [{ key: '', value: '' }], to: ['nobody'], mentions: [''] }
  expect(check({ ...left, type: 'email', to: ['a@example.com'] })).toHaveProperty('data')
  expect(check({ ...left, type: 'wecom', url: 'https://example.com', mentions: [] })).toHaveProperty('data')
  expect(check({ ...left, type: 'webhook', url: 'https://example.com' })).toMatchObject({
    problems: [{ path: ['headers', 0, 'key'] }],
  })
})

test('only what belongs to the type travels, and the contract takes it', () => {
  const everything = {
    url: 'https://example.com/hook',
    secret: 'k',
    headers: [{ key: 'X-A', value: '1' }],
    to: ['a@example.com'],
    mentions: ['all'],
  }
  const settings = (type: string) => {
    const checked = check({ ...everything, type })
    if ('problems' in checked) throw new Error(JSON.stringify(checked.problems))
    const body = bodyOf(checked.data)
    expect(channelBody.safeParse(body).success).toBe(true)
    return body.settings
  }
  expect(settings('webhook')).toEqual({ ...everything, to: [], mentions: [] })
  expect(settings('email')).toEqual({ url: '', secret: '', headers: [], to: ['a@example.com'], mentions: [] })
  expect(settings('dingtalk')).toEqual({ ...everything, headers: [], to: [] })
  expect(settings('wecom')).toEqual({ ...everything, secret: '', headers: [], to: [] })
})

test('a channel for which nobody chose a language is spoken to in Chinese', () => {
  expect(formOf({ ...channel, language: '' }).language).toBe('zh')
})

test('a channel opens in the form as it was saved', () => {
  const checked = checkAll(channelForm, formOf(channel), labels)
  expect('data' in checked && bodyOf(checked.data)).toEqual({
    name: '值班群',
    type: 'dingtalk',
    status: 2,
    desc: '夜班',
    language: 'en',
    settings: channel.settings,
  })
})

test('a channel with hidden keys is opened and saved as it was listed', () => {
  const settings = {
    ...channel.settings,
    url: `https://example.com/${channelMask}`,
    headers: [{ key: 'X-Token', value: channelMask }],
    mentions: [],
  }
  const listed: Channel = { ...channel, type: 'webhook', settings }
  const checked = checkAll(channelForm, formOf(listed), labels)
  expect('data' in checked && bodyOf(checked.data).settings).toEqual(settings)
  expect(isMasked(settings)).toBe(true)
  expect(isMasked({ ...settings, url: 'https://example.com/hook' })).toBe(true)
  expect(isMasked({ url: 'https://example.com/hook', headers: [{ key: 'X-Token', value: 'k' }] })).toBe(false)
})

test('what hidden keys stand for replaces the masks alone', () => {
  const saved = {
    url: 'https://example.com/hook?key=k',
    headers: [
      { key: 'X-Token', value: 't' },
      { key: 'X-Other', value: 'o' },
    ],
  }
  const shown = {
    url: `https://example.com/${channelMask}`,
    headers: [
      { key: 'x-token', value: channelMask },
      { key: 'X-Other', value: 'typed' },
    ],
  }
  expect(unmask(shown, saved)).toEqual({
    url: saved.url,
    headers: [
      { key: 'x-token', value: 't' },
      { key: 'X-Other', value: 'typed' },
    ],
  })
  expect(unmask({ url: 'https://typed.example', headers: [] }, saved)).toEqual({
    url: 'https://typed.example',
    headers: [],
  })
})

test('the target does not show the key', () => {
  expect(targetText(channel)).toBe('oapi.dingtalk.com')
  const settings = { ...channel.settings, url: 'https://example.com:8443/hook?token=t', to: ['a@b.com', 'c@d.com'] }
  expect(targetText({ type: 'webhook', settings })).toBe('example.com:8443')
  expect(targetText({ type: 'email', settings })).toBe('a@b.com、c@d.com')
})
