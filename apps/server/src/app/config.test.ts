import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('without SMTP_URL and WEBHOOK_ALLOW there are no mails, and no inner network may be reached', () => {
  for (const env of [{}, { SMTP_URL: '', WEBHOOK_ALLOW: '' }]) {
    expect(readConfig(env)).toMatchObject({ smtpUrl: undefined, webhookAllow: [] })
  }
})

test.each(['smtp://mail.example.com', 'smtps://alarm%40example.com:p%23w@mail.example.com:465?from=a@example.com'])(
  'SMTP_URL %s is taken as it is',
  (url) => {
    expect(readConfig({ SMTP_URL: url }).smtpUrl).toBe(url)
  },
)

test.each(['mail.example.com:25', 'http://mail.example.com', 'smtp://', 'smtp'])(
  'SMTP_URL %s is refused by name',
  (url) => {
    expect(() => readConfig({ SMTP_URL: url })).toThrow(ConfigError)
    expect(() => readConfig({ SMTP_URL: url })).toThrow(/SMTP_URL/)
  },
)

test('WEBHOOK_ALLOW is a comma list of networks and addresses', () => {
  const { webhookAllow } = readConfig({ WEBHOOK_ALLOW: '10.0.0.0/8, 192.168.1.5 ,fd00::/8,' })
  expect(webhookAllow).toEqual(['10.0.0.0/8', '192.168.1.5', 'fd00::/8'])
})

test.each(['intranet.local', '10.0.0.0/33', '10.0.0.0/8;11.0.0.0/8'])('WEBHOOK_ALLOW %s is refused by name', (list) => {
  expect(() => readConfig({ WEBHOOK_ALLOW: list })).toThrow(/WEBHOOK_ALLOW/)
})
