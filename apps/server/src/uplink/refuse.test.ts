import { AppError, errors } from '@ithings/contract/errors.ts'
import { fill, phrase, sayKept } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { translatorOf } from '#http/answer-language.ts'
import { refusedEntry } from './refuse.ts'

function entryOf(payload: Buffer, error = new AppError(errors.parameter)) {
  const device = { deviceID: 1, productID: 'P', deviceName: 'd', deviceType: 1 }
  const session = { device, clientID: '', ip: '', connectedAt: 0, registering: false }
  const sent = { qos: 1 as const, dup: false, comesAgain: true, receivedAt: 0 }
  const packet = { session, topic: '$thing/up/property/P/d', payload, ...sent }
  return refusedEntry({ packet, known: undefined, up: undefined, started: 0 }, error, 1)
}
const keptOf = (payload: Buffer): unknown => JSON.parse(entryOf(payload).content)

test.each([0, 1, 2, 3])(
  'the first 4 KB of a refused text stay text when the cut falls into a character (%i)',
  (before) => {
    const kept = keptOf(Buffer.from('x'.repeat(before) + '温😀'.repeat(2_000)))
    expect(kept).toMatch(/^x*(温😀)+温?$/)
    expect(Buffer.byteLength(String(kept))).toBeGreaterThan(4_096 - 4)
    expect(Buffer.byteLength(String(kept))).toBeLessThanOrEqual(4_096)
  },
)

test('what is no text is kept as hex, also when it is long', () => {
  expect(keptOf(Buffer.from([0xff, 0x00]))).toEqual({ hex: 'ff00' })
  expect(keptOf(Buffer.alloc(5_000, 0x80))).toEqual({ hex: expect.stringMatching(/^(80){4093,4096}$/) })
})

test('a refusal that names what is too long is cut, and still said in the language of its reader', () => {
  const detail = phrase('含有未知字段 {keys}', { keys: 'x'.repeat(5_000) })
  const { msg } = entryOf(Buffer.alloc(0), new AppError(errors.parameter, { detail }))
  expect(sayKept(msg, fill)).toMatch(/^参数错误:含有未知字段 x+…$/)
  expect(sayKept(msg, fill)).toHaveLength(256)
  expect(sayKept(msg, translatorOf('en'))).toMatch(/^Invalid parameter: has unknown fields: x+…$/)
})
