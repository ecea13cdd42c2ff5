import { expect, test } from 'vitest'
import { looksOf, optionsOf, secondsRange, stateCounters } from './words.ts'

const labels = { 1: '等待', 2: '完成', 3: '失败' }
const looks = looksOf(labels, { 1: 'default', 2: 'success', 3: 'error' }, [1])

test('the labels of an enumeration become its options, in the order that is wanted', () => {
  expect(optionsOf(labels)).toEqual([
    { value: 1, label: '等待' },
    { value: 2, label: '完成' },
    { value: 3, label: '失败' },
  ])
  expect(optionsOf(labels, [3, 1]).map(({ label }) => label)).toEqual(['失败', '等待'])
})

test('what never happened yet is a ring', () => {
  expect(looks).toEqual({
    1: { text: '等待', tone: 'default', ring: true },
    2: { text: '完成', tone: 'success' },
    3: { text: '失败', tone: 'error' },
  })
})

test('each figure above a list filters by its state, and waits while it is read', () => {
  const counts = [
    [2, 7],
    [1, undefined],
  ] as const
  expect(stateCounters({ looks, counts, total: 8, field: 'state' })).toEqual([
    { key: 'all', label: '全部', value: 8, filter: {} },
    { key: '2', label: '完成', value: 7, tone: 'success', ring: false, filter: { state: '2' } },
    { key: '1', label: '等待', value: undefined, tone: 'default', ring: true, filter: { state: '1' } },
  ])
})

test('a range of times goes out in whole seconds that hold all of it; without a choice there is none', () => {
  expect(secondsRange(undefined)).toEqual({})
  expect(secondsRange({ timeStart: '1500', timeEnd: '2500' })).toEqual({ timeStart: 1, timeEnd: 3 })
})
