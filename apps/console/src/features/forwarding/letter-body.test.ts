import { expect, test } from 'vitest'
import { inParts, prettyJson, replacementOf } from './letter-body.ts'

test('a body that nobody changed is sent as it was, byte for byte', () => {
  const body = '{"a":1,"b":[1]}'
  expect(prettyJson(body)).toBe('{\n  "a": 1,\n  "b": [\n    1\n  ]\n}')
  expect(replacementOf(body, prettyJson(body) ?? '')).toEqual({})
  expect(replacementOf(body, body)).toEqual({})
  expect(replacementOf(body, '{"a":2}')).toEqual({ body: '{"a":2}' })
})

test('JSON that would not come back the same is not laid out anew', () => {
  const body = '{"id":12345678901234567890}'
  expect(prettyJson(body)).toBe(body)
})

test('what is no JSON is edited as text', () => {
  expect(prettyJson('pump,device=p1 temp=3')).toBeUndefined()
  expect(replacementOf('line', 'line 2')).toEqual({ body: 'line 2' })
})

test('many are sent in parts of what one call takes', () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inParts([], 2)).toEqual([])
})
