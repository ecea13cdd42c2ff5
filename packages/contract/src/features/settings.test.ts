import { expect, test } from 'vitest'
import { readConfig, updateSettingsBody } from './settings.ts'

test('spec 7: map configuration has an access key', () => {
  expect(Object.keys(readConfig.data.shape.map.shape)).toContain('accessKey')
})

test('logs are kept between one day and ten years', () => {
  for (const key of ['loginLogDays', 'operationLogDays']) {
    for (const days of [1, '30', 3650]) expect(updateSettingsBody.safeParse({ [key]: days }).success).toBe(true)
    for (const days of [0, -1, 3651, 1.5]) expect(updateSettingsBody.safeParse({ [key]: days }).success).toBe(false)
  }
})

test('the logo is empty or a small embedded picture, never an address', () => {
  const accepted = (logo: string) => updateSettingsBody.safeParse({ logo }).success
  expect(accepted('')).toBe(true)
  expect(accepted('data:image/png;base64,iVBORw0KGgo=')).toBe(true)
  expect(accepted('https://example.com/logo.png')).toBe(false)
  expect(accepted('data:text/html;base64,PGI+')).toBe(false)
  expect(accepted(`data:image/png;base64,${'A'.repeat(200_000)}`)).toBe(false)
})
