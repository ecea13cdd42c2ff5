import { AppError, errors } from '@ithings/contract/errors.ts'
import { expect, test } from 'vitest'
import { refusedEntry } from './refuse.ts'

function keptOf(payload: Buffer): unknown {
  const device = { deviceID: 1, productID: 'P', deviceName: 'd', deviceType: 1 }
  const session = { device, clientID: '', ip: '', connectedAt: 0, registering: false }
  const sent = { qos: 1 as const, dup: false, comesAgain: true, receivedAt: 0 }
  const packet = { session, topic: '$thing/up/property/P/d', payload, ...sent }
  const error = new AppError(errors.parameter)
  return JSON.parse(refusedEntry({ packet, known: undefined, up: undefined, started: 0 }, error, 1).content)
}

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
