import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError, connectionsOf, readConfig } from './config.ts'

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

test('NATS_URL names the servers of a cluster, and who we are there', () => {
  expect(readConfig({}).nats).toBeUndefined()
  expect(readConfig({ NATS_URL: 'nats://a' }).nats).toEqual({ servers: ['a:4222'] })
  expect(readConfig({ NATS_URL: 'nats://u:p%40@a:1, nats://u:p%40@[::1]:2' }).nats).toEqual({
    servers: ['a:1', '[::1]:2'],
    user: 'u',
    password: 'p@',
  })
  expect(readConfig({ NATS_URL: 'tls://secret@a' }).nats).toEqual({ servers: ['a:4222'], token: 'secret', tls: true })
  const credentials = readFileSync(import.meta.filename)
  expect(readConfig({ NATS_URL: 'nats://a', NATS_CREDS_FILE: import.meta.filename }).nats).toEqual({
    servers: ['a:4222'],
    credentials,
  })
})

test.each([
  'a:4222',
  'http://a:4222',
  'nats://',
  'nats://a,',
  'nats://u:p@a,nats://b',
  'nats://a/b',
  'nats://a,tls://b',
])('NATS_URL %s is refused by name', (url) => {
  expect(() => readConfig({ NATS_URL: url })).toThrow(/NATS_URL: must be a comma-separated list/)
})

test.each([
  { NATS_CREDS_FILE: '/no/such/file' },
  { NATS_CREDS_FILE: '/no/such/file', NATS_URL: 'nats://a' },
  { NATS_CREDS_FILE: '/no/such/file', NATS_URL: 'nats://u:p@a' },
])('credentials of NATS that fit nothing are refused by name: %o', (env) => {
  expect(() => readConfig(env)).toThrow(/NATS_CREDS_FILE/)
})

test('DATABASE_URL with several hosts is read; a wrong one is refused by name and without its password', () => {
  const url = 'postgres://u:pw@a:5432,b/db?target_session_attrs=read-write'
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  const wrong = { DATABASE_URL: 'postgres://u:pw@a,b/db?target_session_attrs=standby' }
  expect(() => readConfig(wrong)).toThrow(/DATABASE_URL: target_session_attrs must be read-write/)
  expect(() => readConfig(wrong)).not.toThrow(/pw@/)
})

test('a server opens five connections besides its pool', () => {
  expect(connectionsOf(readConfig({}))).toBe(25)
  expect(connectionsOf(readConfig({ DATABASE_CONNECTIONS: '10' }))).toBe(15)
  expect(() => readConfig({ DATABASE_CONNECTIONS: '4' })).toThrow(/DATABASE_CONNECTIONS/)
})

test('the PROXY protocol is off unless it is asked for, and needs to know the balancers', () => {
  expect(readConfig({}).mqttProxyProtocol).toBe(false)
  expect(readConfig({ MQTT_PROXY_PROTOCOL: 'on', TRUST_PROXY: '10.0.0.5' }).mqttProxyProtocol).toBe(true)
  expect(() => readConfig({ MQTT_PROXY_PROTOCOL: 'on' })).toThrow(/MQTT_PROXY_PROTOCOL=on needs TRUST_PROXY/)
})

test('UPSTREAM_MQTT_URL names an MQTT server that others run, and who we are there', () => {
  expect(readConfig({}).upstream).toBeUndefined()
  const usual = { clientID: 'ithings', parts: 1, events: 'off', silentMs: 600_000 }
  expect(readConfig({ UPSTREAM_MQTT_URL: 'mqtt://a' }).upstream).toEqual({
    address: { servers: [{ host: 'a', port: 1883 }], tls: false },
    ...usual,
  })
  const env = { UPSTREAM_MQTT_URL: 'mqtts://u:p%40@a:1, mqtts://u:p%40@[::1]', UPSTREAM_MQTT_PARTS: '4' }
  expect(readConfig({ ...env, UPSTREAM_MQTT_CA_FILE: import.meta.filename }).upstream).toEqual({
    address: {
      servers: [
        { host: 'a', port: 1 },
        { host: '::1', port: 8883 },
      ],
      tls: true,
      user: 'u',
      password: 'p@',
      ca: readFileSync(import.meta.filename),
    },
    ...usual,
    parts: 4,
  })
  expect(readConfig({ UPSTREAM_MQTT_URL: 'mqtt://a', UPSTREAM_MQTT_EVENTS: 'emqx' }).upstream).toMatchObject({
    events: 'emqx',
    silentMs: 86_400_000,
  })
  const file = { UPSTREAM_MQTT_URL: 'mqtt://a', UPSTREAM_MQTT_CREDENTIALS_FILE: import.meta.filename }
  expect(readConfig(file).upstream?.address).toMatchObject({
    user: "import { readFileSync } from 'node:fs'",
    password: "import { expect, test } from 'vitest'",
  })
})

test.each([
  [{ UPSTREAM_MQTT_URL: 'http://a' }, /UPSTREAM_MQTT_URL: must be/],
  [{ UPSTREAM_MQTT_URL: 'mqtt://a,mqtts://b' }, /UPSTREAM_MQTT_URL: must be/],
  [{ UPSTREAM_MQTT_URL: 'mqtt://a/path' }, /UPSTREAM_MQTT_URL: must be/],
  [{ UPSTREAM_MQTT_URL: 'mqtt://a', UPSTREAM_MQTT_PARTS: '0' }, /UPSTREAM_MQTT_PARTS/],
  [{ UPSTREAM_MQTT_URL: 'mqtt://a', UPSTREAM_MQTT_CLIENT_ID: 'a/b' }, /UPSTREAM_MQTT_CLIENT_ID/],
  [{ UPSTREAM_MQTT_URL: 'mqtt://a', UPSTREAM_MQTT_CA_FILE: 'x' }, /UPSTREAM_MQTT_CA_FILE can only be used with mqtts/],
  [{ UPSTREAM_MQTT_URL: 'mqtts://a', UPSTREAM_MQTT_CA_FILE: '/none' }, /UPSTREAM_MQTT_CA_FILE cannot be read/],
  [{ UPSTREAM_MQTT_URL: 'mqtt://u:p@a', UPSTREAM_MQTT_CREDENTIALS_FILE: 'x' }, /one of them/],
])('settings of the upstream MQTT server that make no sense are refused: %o', (env, why) => {
  expect(() => readConfig(env)).toThrow(ConfigError)
  expect(() => readConfig(env)).toThrow(why)
})
