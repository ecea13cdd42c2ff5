import { expect, test } from 'vitest'
import { TimePreset } from '#kit/time-choice.ts'
import { periodOf } from './queries.ts'

const now = 1_700_000_000_000

test('no choice asks for everything, a preset up to now has no end', () => {
  expect(periodOf(undefined, now)).toEqual({})
  expect(periodOf({ preset: TimePreset.hour }, now)).toEqual({ timeStart: now - 3_600_000 })
})

test('the end of a range that was picked belongs to it', () => {
  expect(periodOf({ timeStart: '1000', timeEnd: '1999' }, now)).toEqual({ timeStart: 1000, timeEnd: 2000 })
})
