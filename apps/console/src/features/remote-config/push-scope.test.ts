import { expect, test } from 'vitest'
import { durationText, firstChoice, targetOf } from './push-scope.ts'

const productID = 'abcdefghijk'

test('all devices are asked for without any further word', () => {
  expect(targetOf(productID, firstChoice)).toEqual({ productID })
})

test('devices and groups have to be chosen first', () => {
  expect(targetOf(productID, { ...firstChoice, scope: 'devices' })).toBeUndefined()
  expect(targetOf(productID, { ...firstChoice, scope: 'group' })).toBeUndefined()
})

test('names that were ticked before the scope was changed are not sent along', () => {
  const ticked = { ...firstChoice, deviceNames: ['a'], groupID: '7' }
  expect(targetOf(productID, { ...ticked, scope: 'devices' })).toEqual({ productID, deviceNames: ['a'] })
  expect(targetOf(productID, { ...ticked, scope: 'group' })).toEqual({ productID, groupID: '7', includeChildren: true })
  expect(targetOf(productID, { ...ticked, scope: 'missing' })).toEqual({ productID, onlyMissing: true })
})

test.each([
  [0, 600, '约 1 秒'],
  [300, 600, '约 30 秒'],
  [10_000, 600, '约 17 分钟'],
  [100_000, 600, '约 2 小时 47 分钟'],
])('%i devices at %i a minute take %s', (devices, perMinute, text) => {
  expect(durationText(devices, perMinute)).toBe(text)
})
