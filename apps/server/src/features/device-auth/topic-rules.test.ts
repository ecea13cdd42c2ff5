import { expect, test } from 'vitest'
import { judgeTopic, type TopicUse, type TopicUser } from './topic-rules.ts'

const product = '254pwnKQsvK'
const lamp: TopicUser = { productID: product, deviceName: 'lamp', isGateway: false, registering: false }
const gateway: TopicUser = { productID: product, deviceName: 'gate', isGateway: true, registering: false }
const newcomer: TopicUser = { ...lamp, registering: true }

const rule = (user: TopicUser, use: TopicUse, topic: string) => judgeTopic(user, use, topic).rule

// device-protocol.md 4: the table of topics and their directions.
test.each([
  ['$thing', 'property', 'both'],
  ['$thing', 'event', 'both'],
  ['$thing', 'action', 'both'],
  ['$gateway', 'operation', 'both'],
  ['$gateway', 'status', 'both'],
  ['$log', 'operation', 'both'],
  ['$log', 'report', 'both'],
  ['$log', 'update', 'down'],
  ['$config', 'get', 'both'],
  ['$config', 'push', 'down'],
  ['$ota', 'report', 'up'],
  ['$ota', 'upgrade', 'down'],
  ['$ota', 'progress', 'both'],
  ['$ext', 'ntp', 'both'],
  ['$ext', 'register', 'both'],
  ['$shadow', 'anything', 'up'],
])('%s/…/%s of the device itself (%s)', (head, type, ways) => {
  const up = `${head}/up/${type}/${product}/lamp`
  const down = `${head}/down/${type}/${product}/lamp`
  if (ways !== 'down') expect(rule(lamp, 'publish', up)).toBe('own')
  if (ways !== 'up') expect(rule(lamp, 'subscribe', down)).toBe('own')
  // Publish only up, subscribe only down.
  expect(rule(lamp, 'publish', down)).toBe('none')
  expect(rule(lamp, 'subscribe', up)).toBe('none')
  // Of another device: nobody but perhaps its gateway.
  expect(rule(lamp, 'publish', up.replace('lamp', 'other'))).toBe('none')
  expect(judgeTopic(gateway, 'subscribe', down)).toEqual({ rule: 'child', productID: product, deviceName: 'lamp' })
  expect(judgeTopic(gateway, 'publish', up)).toEqual({ rule: 'child', productID: product, deviceName: 'lamp' })
})

test('device-protocol.md 9: topics for scripts', () => {
  expect(rule(lamp, 'publish', `$thing/up/property/custom/${product}/lamp`)).toBe('own')
  expect(rule(lamp, 'subscribe', `$thing/down/property/custom/${product}/lamp`)).toBe('own')
})

test.each([
  [`$thing/down/+/${product}/lamp`, 'own'],
  [`$thing/down/+/+/${product}/lamp`, 'own'],
  [`$thing/down/property/${product}/+`, 'none'],
  [`$thing/down/property/+/lamp`, 'none'],
  [`$thing/down/property/${product}/#`, 'none'],
  ['$thing/down/#', 'none'],
  [`$thing/+/property/${product}/lamp`, 'none'],
  [`+/down/property/${product}/lamp`, 'none'],
  ['#', 'none'],
  ['+/+/+/+/+', 'none'],
])('device-protocol.md 4: wildcards only with literal last two levels: %s is %s', (filter, wanted) => {
  expect(rule(lamp, 'subscribe', filter)).toBe(wanted)
})

test('nobody publishes to a wildcard', () => {
  expect(rule(lamp, 'publish', `$thing/up/+/${product}/lamp`)).toBe('none')
})

test.each([
  `${product}/lamp/up`,
  `thing/up/property/${product}/lamp`,
  `$unknown/up/property/${product}/lamp`,
  `$SYS/up/x/${product}/lamp`,
  `$share/up/property/${product}/lamp`,
  `$thing/sideways/property/${product}/lamp`,
  `$thing/up/${product}/lamp`,
  '$thing/up/property',
  `$thing/up//${product}/lamp`,
  `$thing/up/property/${product}/`,
  `$thing/up/property/${product}/lamp/`,
  '',
  '/',
])('%j is a topic of nobody', (topic) => {
  for (const user of [lamp, gateway]) {
    expect(rule(user, 'publish', topic)).toBe('none')
    expect(rule(user, 'subscribe', topic.replace('/up/', '/down/'))).toBe('none')
  }
})

test('device-protocol.md 3: who registers may use its two topics and no others', () => {
  expect(rule(newcomer, 'publish', `$ext/up/register/${product}/lamp`)).toBe('own')
  expect(rule(newcomer, 'subscribe', `$ext/down/register/${product}/lamp`)).toBe('own')
  expect(rule(newcomer, 'publish', `$ext/up/register/${product}/other`)).toBe('none')
  expect(rule(newcomer, 'publish', `$thing/up/property/${product}/lamp`)).toBe('none')
  expect(rule(newcomer, 'subscribe', `$ext/down/+/${product}/lamp`)).toBe('none')
  expect(rule({ ...newcomer, isGateway: true }, 'publish', `$ext/up/register/${product}/other`)).toBe('none')
})
