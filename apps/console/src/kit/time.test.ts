import { expect, test } from 'vitest'
import { formatTime, logFormat, relativeTime, toMillis, zoneLabel } from './time.ts'

const noon = new Date(2026, 5, 15, 12, 0, 0).getTime()

test('seconds and milliseconds, as numbers or digit strings, are the same moment', () => {
  for (const time of [1_700_000_000, '1700000000', 1_700_000_000_000, '1700000000000']) {
    expect(toMillis(time)).toBe(1_700_000_000_000)
  }
})

test.each([0, '0', '', null, undefined, 'abc', -5])('no time at all: %s is shown as a dash', (time) => {
  expect(formatTime(time)).toBe('—')
  expect(relativeTime(time)).toBe('—')
})

test('exact times carry seconds and those of logs milliseconds', () => {
  const at = new Date(2026, 0, 2, 3, 4, 5, 67).getTime()
  expect(formatTime(at)).toBe('2026-01-02 03:04:05')
  expect(formatTime(at, logFormat)).toBe('2026-01-02 03:04:05.067')
})

test('relative times read like speech', () => {
  expect(relativeTime(noon - 500, noon)).toBe('刚刚')
  expect(relativeTime(noon - 12_000, noon)).toBe('12 秒前')
  expect(relativeTime(noon - 3 * 60_000, noon)).toBe('3 分钟前')
  expect(relativeTime(noon - 2 * 3_600_000, noon)).toBe('2 小时前')
  expect(relativeTime(new Date(2026, 5, 14, 21, 7).getTime(), noon)).toBe('昨天 21:07')
  expect(relativeTime(new Date(2026, 2, 18, 14, 22).getTime(), noon)).toBe('03-18 14:22')
  expect(relativeTime(new Date(2025, 2, 18, 14, 22).getTime(), noon)).toBe('2025-03-18 14:22')
  expect(relativeTime(noon + 90_000, noon)).toBe('1 分钟后')
})

test('the zone is named with its offset', () => {
  expect(zoneLabel()).toMatch(/^.+（UTC[+-]\d\d:\d\d）$/)
  expect(zoneLabel(new Date(noon), 'Asia/Shanghai')).toBe('Asia/Shanghai（UTC+08:00）')
  expect(zoneLabel(new Date(noon), 'UTC')).toBe('UTC（UTC+00:00）')
})
