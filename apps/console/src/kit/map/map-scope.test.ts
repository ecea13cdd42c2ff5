import { expect, test } from 'vitest'
import { firstView } from './map-option.ts'
import { scopeFor } from './map-scope.ts'

test('a map begins with China for who reads Chinese and with the world for who does not, until somebody chooses', () => {
  expect(scopeFor('language', 'zh')).toBe('china')
  expect(scopeFor('language', 'en')).toBe('world')
  expect(scopeFor('world', 'zh')).toBe('world')
  expect(scopeFor('china', 'en')).toBe('china')
})

test('without a place the map shows the whole of what was chosen, with one the place', () => {
  expect(firstView([], 'china')).toEqual({ center: [104.5, 36], zoom: 4.6 })
  expect(firstView([], 'world').zoom).toBe(1)
  const place = { longitude: 151.2, latitude: -33.9 }
  expect(firstView([place], 'world')).toEqual(firstView([place], 'china'))
})
