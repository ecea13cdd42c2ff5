import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { md5 } from './md5.ts'

test('any text, Chinese too, has the MD5 that the server computes of it', () => {
  expect(md5('iThings@123')).toMatch(/^[0-9a-f]{32}$/)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '密码', '💧')), (text) => {
      expect(md5(text)).toBe(createHash('md5').update(text, 'utf8').digest('hex'))
    }),
  )
})
