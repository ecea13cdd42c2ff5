import { expect, test } from 'vitest'
import { shownContent } from './shown-content.ts'

test('a message is shown as its members, also when it was kept as a text', () => {
  expect(shownContent('{"level":2}')).toEqual({ level: 2 })
  expect(shownContent(JSON.stringify('{"level":2}'))).toEqual({ level: 2 })
})

test('what was no JSON is shown as it came', () => {
  expect(shownContent(JSON.stringify('{"level":'))).toBe('{"level":')
  expect(shownContent('01 7f')).toBe('01 7f')
  expect(shownContent('42')).toBe('42')
})
