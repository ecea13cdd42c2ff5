import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { JournalKind } from './journal.ts'
import { fullTopic, shortTopic, storedForms } from './journal-topic.ts'

const owner = { kind: JournalKind.property, up: true, productID: '25dmqhW3TQa', deviceName: 'lamp1' }
const own = `${owner.productID}/${owner.deviceName}`

test('usual topics take no room, own ones lose the names', () => {
  expect(shortTopic(`$thing/up/property/${own}`, owner)).toBe('')
  expect(shortTopic(`$thing/up/event/${own}`, owner)).toBe('=$thing/up/event')
  expect(shortTopic(`$thing/up/property/${owner.productID}/lamp10`, owner)).toBe(
    `$thing/up/property/${owner.productID}/lamp10`,
  )
})

test('any topic comes back as it was, and a search for it finds its stored form', async () => {
  const level = fc.constantFrom('$thing', 'up', 'down', 'property', 'event', '', '=', '!', 'x', '+')
  const topic = fc
    .tuple(fc.array(level, { maxLength: 4 }), fc.constantFrom('', own, 'lamp1', `x${own}`, `/${own}`))
    .map(([levels, end]) => [...levels, end].join('/'))
  const someone = fc.record({
    kind: fc.constantFrom(...Object.values(JournalKind)),
    up: fc.boolean(),
    productID: fc.constant(owner.productID),
    deviceName: fc.constant(owner.deviceName),
  })
  await fc.assert(
    fc.property(topic, someone, (text, sender) => {
      const stored = shortTopic(text, sender)
      expect(fullTopic(stored, sender)).toBe(text)
      const isFound = storedForms(text).some(
        (form) =>
          form.topic === stored && (form.kind === undefined || (form.kind === sender.kind && form.up === sender.up)),
      )
      expect(isFound || text === '').toBe(true)
    }),
  )
})
