import { expect, test } from 'vitest'
import { findDisagreements, sentencesOf } from './agreement.ts'

const server = (node: number, settings?: Record<string, string>) => ({
  server_id: `s${node}`,
  facts: { node, name: `m${node}`, ...(settings && { settings }) },
  drain: false,
})
const upstream = (parts: string) => ({ UPSTREAM_MQTT_URL: 'mqtt.example:1883', UPSTREAM_MQTT_PARTS: parts })
const none = { UPSTREAM_MQTT_URL: '', UPSTREAM_MQTT_PARTS: '' }

test('servers with the same settings agree, and with one that tells none', () => {
  expect(findDisagreements([server(0, upstream('2')), server(1, upstream('2')), server(2)])).toEqual([])
})

test('each server is told where it differs from others, and nothing about what others disagree in', () => {
  const rows = [server(0, { NATS_URL: 'a:4222' }), server(1, { NATS_URL: '' }), server(2, { NATS_URL: '' })]
  const found = findDisagreements(rows)
  expect(found).toHaveLength(1)
  expect(sentencesOf(found, 's0')).toEqual([
    'NATS_URL is a:4222 here and not set on server 1 (m1), not set on server 2 (m2): notices between these servers may not arrive, set it alike on all',
  ])
  expect(sentencesOf(found, 's2')).toEqual([expect.stringMatching(/^NATS_URL is not set here and a:4222 on server 0/)])
  expect(sentencesOf(found, 'unknown')).toEqual([])
})

test('where there is no MQTT server at all its other settings are no news', () => {
  const found = findDisagreements([server(0, upstream('2')), server(1, none)])
  expect(found.map(({ setting }) => setting)).toEqual(['UPSTREAM_MQTT_URL'])
  const other = findDisagreements([server(0, upstream('2')), server(1, upstream('3')), server(2, upstream('2'))])
  expect(other.map(({ setting }) => setting)).toEqual(['UPSTREAM_MQTT_PARTS'])
})
