import { expect, test } from 'vitest'
import { zoomSteps } from './zoom-steps.ts'

test('each step halves or doubles the part around its middle, or moves it by half, and never leaves the whole', () => {
  const all = { start: 0, end: 100 }
  expect(zoomSteps.in(all)).toEqual({ start: 25, end: 75 })
  expect(zoomSteps.out(zoomSteps.in(all))).toEqual(all)
  expect(zoomSteps.back({ start: 40, end: 60 })).toEqual({ start: 30, end: 50 })
  expect(zoomSteps.on({ start: 85, end: 95 })).toEqual({ start: 90, end: 100 })
  expect(zoomSteps.on({ start: 90, end: 100 })).toEqual({ start: 90, end: 100 })
  expect(zoomSteps.out({ start: 0, end: 20 })).toEqual({ start: 0, end: 40 })
  expect(zoomSteps.in({ start: 50, end: 51 })).toEqual({ start: 50, end: 51 })
})
