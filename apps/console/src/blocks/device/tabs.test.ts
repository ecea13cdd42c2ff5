import { DeviceType } from '@ithings/contract/features/products.ts'
import { expect, test } from 'vitest'
import { shownTab, tabOf, tabsOf } from '#blocks/device/tabs.ts'

test('screens.md 6: the keys of old links stay valid', () => {
  expect(tabsOf(DeviceType.device).map(({ key }) => key)).toEqual([1, 9, 10, 5, 13, 6, 2, 8, 12, 11])
  expect(tabOf('8', DeviceType.device)).toBe(8)
  expect(tabOf('12', DeviceType.subDevice)).toBe(12)
})

test('the three logs are one tab, and each old link still names its own', () => {
  for (const key of [2, 3, 4] as const) {
    expect(tabOf(String(key), DeviceType.device)).toBe(key)
    expect(shownTab(key)).toBe(2)
  }
  expect(shownTab(8)).toBe(8)
})

test('only a gateway has sub-devices', () => {
  expect(tabOf('7', DeviceType.gateway)).toBe(7)
  expect(tabOf('7', DeviceType.device)).toBe(1)
  expect(tabOf('7', DeviceType.subDevice)).toBe(1)
})

test('an unknown key opens the first tab', () => {
  for (const key of ['99', '', 'x', '1.0', undefined]) expect(tabOf(key, DeviceType.gateway)).toBe(1)
})
