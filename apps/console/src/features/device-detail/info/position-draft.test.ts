import { expect, test } from 'vitest'
import { draftOf, positionChange, samePlace } from './position-draft.ts'

test('0,0 means that no position is known, in both directions', () => {
  expect(draftOf({ position: { longitude: 0, latitude: 0 } })).toBeUndefined()
  expect(positionChange(undefined)).toEqual({ position: { longitude: 0, latitude: 0 } })
})

test('screens.md 6.1: half a position is refused by name', () => {
  expect(positionChange({ longitude: 116.4 })).toEqual({ problem: '还缺纬度' })
  expect(positionChange({ longitude: null, latitude: 39.9 })).toEqual({ problem: '还缺经度' })
})

test('a place on the equator or the prime meridian is a position', () => {
  expect(draftOf({ position: { longitude: 0, latitude: 51.5 } })).toEqual({ longitude: 0, latitude: 51.5 })
  expect(positionChange({ longitude: 109.3, latitude: 0 })).toEqual({ position: { longitude: 109.3, latitude: 0 } })
})

test('going back to the stored place is no change', () => {
  const stored = { longitude: 116.4, latitude: 39.9 }
  expect(samePlace({ ...stored }, stored)).toBe(true)
  expect(samePlace({ longitude: 116.5, latitude: 39.9 }, stored)).toBe(false)
  expect(samePlace(undefined, stored)).toBe(false)
  expect(samePlace({ longitude: null, latitude: null }, undefined)).toBe(true)
})
