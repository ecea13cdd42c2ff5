import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './password.ts'

test('a password is stored as argon2id at the cost that OWASP names, each time with another salt', async () => {
  const [first, second] = await Promise.all([hashPassword('Same-4711'), hashPassword('Same-4711')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
})

test('a password counts as it was typed: case, blanks and the end of a long one', async () => {
  const password = ` Pass wörd ${'x'.repeat(52)}1`
  expect(password).toHaveLength(64)
  const stored = await hashPassword(password)
  expect(await passwordMatches(stored, password, 1)).toBe(true)
  for (const other of [password.trim(), password.toLowerCase(), password.slice(0, -1), `${password} `]) {
    expect(await passwordMatches(stored, other, 1)).toBe(false)
  }
})
