import { expect, test } from 'vitest'
import { makeKeyRing, places } from './sealed.ts'

const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const ring = makeKeyRing([one])
const place = places.device('P1', 'pump')

test('a sealed value names its key, is never the same twice and opens where it was made for', () => {
  const sealed = ring.seal(place, 'dozen=水')
  expect(sealed).toMatch(/^s1:[0-9a-f]{8}:[\w-]+$/)
  expect(sealed.startsWith(ring.prefix)).toBe(true)
  expect(ring.seal(place, 'dozen=水')).not.toBe(sealed)
  expect(ring.open(place, sealed)).toBe('dozen=水')
})

test.each([
  ['another row', places.device('P1', 'pump2'), (text: string) => text],
  ['another column', places.product('P1'), (text: string) => text],
  ['a changed value', place, (text: string) => `${text.slice(0, 20)}${text[20] === 'A' ? 'B' : 'A'}${text.slice(21)}`],
  ['a cut value', place, (text: string) => text.slice(0, -6)],
  ['next to nothing', place, (text: string) => text.slice(0, 14)],
])('%s does not open, and the error tells nothing of the value', (_, where, change) => {
  const sealed = ring.seal(place, 'dozen')
  expect(() => ring.open(where, change(sealed))).toThrow(/was changed in the database, or belongs to another place$/)
})

test('what is plain from before, and nothing, are left as they are', () => {
  expect(ring.open(place, 'cGxhaW4gc2VjcmV0IGhlcmU=')).toBe('cGxhaW4gc2VjcmV0IGhlcmU=')
  expect([ring.seal(place, ''), ring.open(place, '')]).toEqual(['', ''])
})

test('during a rotation both keys open and the new one seals; a key that is not there is named', () => {
  const both = makeKeyRing([two, one])
  const old = ring.seal(place, 'dozen')
  const fresh = both.seal(place, 'dozen')
  expect([both.open(place, old), both.open(place, fresh)]).toEqual(['dozen', 'dozen'])
  expect(fresh.startsWith(makeKeyRing([two]).prefix)).toBe(true)
  expect(() => ring.open(place, fresh)).toThrow(/is sealed with the key [0-9a-f]{8}, which this server does not have$/)
})
