import { expect, test } from 'vitest'
import { hearsPushes } from './resend-on-subscribe.ts'

test.each([
  ['$config/down/push/p/d', true],
  ['$config/down/+/p/d', true],
  ['$config/down/#', true],
  ['$config/#', true],
  ['$config/+/push/p/d', true],
  ['$config/down/get/p/d', false],
  ['$thing/down/push/p/d', false],
  ['$config/up/push/p/d', false],
])('a subscription of %s hears pushes: %s', (topic, hears) => {
  expect(hearsPushes(topic)).toBe(hears)
})
