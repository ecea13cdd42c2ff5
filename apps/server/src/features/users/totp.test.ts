import { expect, test } from 'vitest'
import { stepAt, stepOfCode, toBase32, totpCode } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('RFC 6238, appendix B: at %i s the code is %s', (seconds, code) => {
  expect(totpCode(secret, stepAt(seconds * 1000))).toBe(code)
})

test('RFC 4648: base 32 as authenticator apps read it', () => {
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(toBase32(Buffer.from('foob'))).toBe('MZXW6YQ')
})

test('the codes of the step before and after count, others and what is no code do not', () => {
  const now = 1_234_567_890_000
  const step = stepAt(now)
  for (const near of [-1, 0, 1]) expect(stepOfCode(secret, totpCode(secret, step + near), now)).toBe(step + near)
  for (const far of [-2, 2]) expect(stepOfCode(secret, totpCode(secret, step + far), now)).toBeUndefined()
  for (const wrong of ['', '12345', '1234567', 'abcdef', '１２３４５６']) {
    expect(stepOfCode(secret, wrong, now)).toBeUndefined()
  }
})
