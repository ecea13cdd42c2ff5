import { expect, test } from 'vitest'
import { causeValue, limitsOf, parseCause, seenNumber } from './cause.ts'

test('an empty, broken or foreign serial is no cause and no crash', () => {
  for (const serial of ['', undefined, null, '{', '[]', '"text"', '42', 'null', '{"trigger":1}']) {
    expect(parseCause(serial)).toBeUndefined()
  }
})

test('a serial is read with what it adds to the known members', () => {
  const cause = parseCause(
    '{"trigger":"水泵温度 > 80","dataID":"pump_temp","value":"83.6","threshold":["80"],"tranceID":"a","mark":1}',
  )
  expect(cause).toMatchObject({ trigger: '水泵温度 > 80', dataID: 'pump_temp', mark: 1 })
  expect(causeValue(cause)).toBe('83.6（阈值 80）')
  expect(causeValue({ trigger: 'x', value: '开' })).toBe('开')
  expect(causeValue(undefined)).toBe('')
})

test('only limits that are numbers are drawn', () => {
  expect(limitsOf({ trigger: '', threshold: ['10', ' ', '80.5', '开', ''] })).toEqual([10, 80.5])
  expect(limitsOf(undefined)).toEqual([])
})

test('the number seen is read with and without its unit', () => {
  expect(seenNumber({ trigger: '', value: '83.6 ℃' })).toBe(83.6)
  expect(seenNumber({ trigger: '', value: '-5' })).toBe(-5)
  expect(seenNumber({ trigger: '', value: '运行' })).toBeUndefined()
  expect(seenNumber(undefined)).toBeUndefined()
})
