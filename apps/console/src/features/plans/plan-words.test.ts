import { expect, test } from 'vitest'
import { specText } from './plan-words.ts'

test('a script stands line by line, and what only looks like a line end stays as it is', () => {
  expect(specText({ script: 'a()\nb("\\n")' })).toBe('{\n  "script": "a()\n    b(\\"\\\\n\\")"\n}')
  expect(specText(undefined)).toBe('')
})
