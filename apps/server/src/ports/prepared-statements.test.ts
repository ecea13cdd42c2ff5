import { expect, test } from 'vitest'
import { makePrepared } from './prepared-statements.ts'

test('only a text that was announced has a name, which is the same each time', () => {
  const { prepared, withName } = makePrepared(10)
  expect(withName('select 1')).toBe('select 1')
  const named = withName(prepared('select 2')) as { name: string }
  expect(named).toEqual({ text: 'select 2', name: expect.any(String) })
  expect(withName(prepared('select 2'))).toEqual(named)
  expect(withName(prepared('select 3'))).toEqual({ text: 'select 3', name: expect.not.stringMatching(named.name) })
})

test('what is no text stays as it is', () => {
  const { prepared, withName } = makePrepared(10)
  const statement = { text: prepared('select 2'), rowMode: 'array' }
  expect(withName(statement)).toBe(statement)
})

test('there are few names, however many texts come', () => {
  const { prepared, withName } = makePrepared(2)
  for (const text of ['a', 'b', 'c']) prepared(text)
  expect(['a', 'b', 'c'].map((text) => withName(text) === text)).toEqual([false, false, true])
})
