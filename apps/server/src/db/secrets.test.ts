import { expect, test } from 'vitest'
import { makeSecret } from './secrets.ts'

test('a secret is base64 of 20 bytes and never begins like a formula', () => {
  const secrets = Array.from({ length: 2_000 }, makeSecret)
  expect(new Set(secrets).size).toBe(secrets.length)
  for (const secret of secrets) {
    expect(Buffer.from(secret, 'base64')).toHaveLength(20)
    expect(secret).toMatch(/^[A-Za-z0-9/][A-Za-z0-9+/]{26}=$/)
  }
})
