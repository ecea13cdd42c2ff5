import { expect, test } from 'vitest'
import { isPhoneAgent } from './use-phone.ts'

test.each([
  'Mozilla/5.0 (Linux; Android 14; Pixel 8)',
  'Mozilla/5.0 (webOS/1.4.0)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)',
  'Mozilla/5.0 (iPod touch)',
  'Mozilla/5.0 (BlackBerry; U; BlackBerry 9900)',
])('spec 9: %s is a phone', (agent) => {
  expect(isPhoneAgent(agent)).toBe(true)
})

test('a desktop browser is no phone by its user agent', () => {
  expect(isPhoneAgent('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0')).toBe(false)
})
