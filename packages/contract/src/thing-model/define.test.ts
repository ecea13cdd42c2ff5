import { expect, test } from 'vitest'
import { DataType, dataTypeLabels, rawDefine } from './define.ts'

test('spec 3: int, string and float are among the eight value types, each with a Chinese label', () => {
  const types = Object.values(DataType)
  expect(types).toEqual(expect.arrayContaining(['int', 'string', 'float']))
  expect(types).toHaveLength(8)
  for (const type of types) expect(dataTypeLabels[type]).toMatch(/\p{Script=Han}/u)
})

test.each(['int', 'string', 'float'])('spec 3: %s is the type of a definition', (type) => {
  expect(rawDefine.parse({ type }).type).toBe(type)
  expect(rawDefine.safeParse({ type: type.toUpperCase() }).success).toBe(false)
})
