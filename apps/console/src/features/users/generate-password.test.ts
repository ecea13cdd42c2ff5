import { newPassword, passwordKinds } from '@ithings/contract/features/users.ts'
import { expect, test } from 'vitest'
import { generatedLength, generatePassword } from './generate-password.ts'

const many = Array.from({ length: 500 }, () => generatePassword())

test('every generated password passes the platform rule with all four kinds of characters', () => {
  for (const password of many) {
    expect(password).toHaveLength(generatedLength)
    expect(newPassword.safeParse(password).success).toBe(true)
    expect(passwordKinds(password)).toBe(4)
  }
})

test('characters that look alike are never used', () => {
  expect(many.join('')).not.toMatch(/[0Oo1lI]/)
})

test('no two are the same, and the kinds are not always in the same place', () => {
  expect(new Set(many).size).toBe(many.length)
  expect(new Set(many.map((password) => /\d/.exec(password)?.index)).size).toBeGreaterThan(3)
})
