import { expect, test } from 'vitest'
import { pumpStation } from './testing/pump-station.ts'
import { checkTsl, isEmptyModel, maxTslLength } from './tsl-check.ts'

const issuesOf = (text: string) => {
  const check = checkTsl(text)
  return check.ok ? [] : check.issues
}

test('a good document is taken, with a byte order mark too', () => {
  expect(issuesOf(pumpStation)).toEqual([])
  expect(issuesOf(`\uFEFF${pumpStation}`)).toEqual([])
})

test('text that is no JSON is refused with its line and column', () => {
  expect(issuesOf('{\n  "properties": [,]\n}')).toMatchObject([{ line: 2, column: 18, path: '' }])
})

test('faults of the model are listed by path, at their line', () => {
  const text = `{
  "properties": [
    {
      "identifier": "temp",
      "name": "温度",
      "define": {
        "type": "int",
        "min": "10",
        "max": "1"
      }
    }
  ]
}`
  expect(issuesOf(text)).toEqual([{ line: 9, path: 'properties.temp.define.max', text: '最大值 1 小于最小值 10' }])
})

test('a document without functions is told apart from one that cannot be read', () => {
  const check = checkTsl('{}')
  expect(check.ok && isEmptyModel(check.model)).toBe(true)
})

test('a text longer than the platform takes is refused before it is sent', () => {
  expect(issuesOf(' '.repeat(maxTslLength + 1))[0]?.text).toContain('900,000')
})
