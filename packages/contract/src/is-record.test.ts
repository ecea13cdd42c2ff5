import { expect, test } from 'vitest'
import { parseRecord } from './is-record.ts'

test('the object of a JSON text is read; lists, other values and what is no JSON are none', () => {
  expect(parseRecord('{"a":[1]}')).toEqual({ a: [1] })
  for (const text of ['[]', 'null', '1', '"a"', '', '{', 'undefined']) expect(parseRecord(text), text).toBeUndefined()
})
