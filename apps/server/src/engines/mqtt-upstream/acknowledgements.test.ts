import { expect, test } from 'vitest'
import { Acknowledgements } from './acknowledgements.ts'

test('PUBACKs follow the order of the messages, whichever is stored first', () => {
  const acknowledgements = new Acknowledgements()
  const [first, second, third] = [1, 0x0203, 3].map((id) => acknowledgements.received(id))
  if (!first || !second || !third) throw new Error('three were received')
  expect(acknowledgements.take()).toBeUndefined()
  second.stored = true
  expect(acknowledgements.take()).toBeUndefined()
  first.stored = true
  expect(acknowledgements.take()).toEqual(Buffer.from([0x40, 2, 0, 1, 0x40, 2, 2, 3]))
  expect(acknowledgements.take()).toBeUndefined()
  third.stored = true
  expect(acknowledgements.take()).toEqual(Buffer.from([0x40, 2, 0, 3]))
})
