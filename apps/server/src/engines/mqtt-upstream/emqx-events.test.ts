import { expect, test } from 'vitest'
import { readEmqxEvent } from './emqx-events.ts'

const now = 1_700_000_000_000
const message = (topic: string, body: unknown) => ({
  topic,
  payload: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  qos: 0 as const,
  dup: false,
})
const topicOf = (word: string) => `$SYS/brokers/emqx@127.0.0.1/clients/P0000000001lamp/${word}`

/** As the documentation of EMQX shows them. */
const came = {
  username: 'foo',
  ts: 1625572213873,
  sockport: 1883,
  proto_ver: 4,
  proto_name: 'MQTT',
  keepalive: 60,
  ipaddress: '127.0.0.1',
  expiry_interval: 0,
  connected_at: 1625572213873,
  connack: 0,
  clientid: 'P0000000001lamp',
  clean_start: true,
}
const went = {
  username: 'foo',
  ts: 1625572213873,
  sockport: 1883,
  reason: 'tcp_closed',
  proto_ver: 4,
  proto_name: 'MQTT',
  ipaddress: '127.0.0.1',
  disconnected_at: 1625572213999,
  clientid: 'P0000000001lamp',
}

test('a client came, a client went', () => {
  expect(readEmqxEvent(message(topicOf('connected'), came), now)).toEqual({
    clientID: 'P0000000001lamp',
    online: true,
    at: 1625572213873,
    ip: '127.0.0.1',
    reason: '',
  })
  expect(readEmqxEvent(message(topicOf('disconnected'), went), now)).toEqual({
    clientID: 'P0000000001lamp',
    online: false,
    at: 1625572213999,
    ip: '127.0.0.1',
    reason: 'tcp_closed',
  })
})

test('older versions count in seconds; without a time it is now', () => {
  expect(readEmqxEvent(message(topicOf('connected'), { connected_at: 1_572_955_200 }), now)?.at).toBe(1_572_955_200_000)
  expect(readEmqxEvent(message(topicOf('connected'), { connected_at: 'x' }), now)?.at).toBe(now)
})

test('EMQX 4.2 tells less of a client that went', () => {
  const body = { username: 'undefined', ts: 1582688032203, reason: 'tcp_closed', disconnected_at: 1582688032 }
  expect(readEmqxEvent(message(topicOf('disconnected'), body), now)).toEqual({
    clientID: 'P0000000001lamp',
    online: false,
    at: 1582688032000,
    ip: '',
    reason: 'tcp_closed',
  })
})

test.each([
  ['$SYS/brokers/emqx@127.0.0.1/uptime', '{}'],
  [topicOf('subscribed'), '{}'],
  [topicOf('connected'), 'no JSON'],
  [topicOf('connected'), '[]'],
  [topicOf('connected'), ''],
])('%s %s is no event', (topic, body) => {
  expect(readEmqxEvent(message(topic, body), now)).toBeUndefined()
})
