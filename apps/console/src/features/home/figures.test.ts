import { expect, test } from 'vitest'
import {
  average,
  changeView,
  digitsOf,
  durationText,
  niceRange,
  niceTop,
  peakOf,
  percent,
  rateText,
  runLeft,
  shortFigure,
  todayWord,
} from './figures.ts'

test('an empty platform has shares without a number, never NaN', () => {
  expect(percent(0, 0)).toBe('—')
  expect(percent(0, 12)).toBe('0.0%')
})

test('a share is rounded, but few of many are not none and most are not all', () => {
  expect(percent(11_732, 12_486)).toBe('94.0%')
  expect(percent(1, 1_000_000)).toBe('<0.1%')
  expect(percent(999_999, 1_000_000)).toBe('>99.9%')
  expect(percent(7, 7)).toBe('100.0%')
})

test('the change since yesterday says direction, size and whether it is good news', () => {
  expect(changeView(112, 'more')).toMatchObject({ arrow: '↑', text: '112', tone: 'good' })
  expect(changeView(-79, 'less')).toMatchObject({ arrow: '↓', text: '79', tone: 'good', words: '比昨日少 79' })
  expect(changeView(1_204, 'less')).toMatchObject({ arrow: '↑', text: '1,204', tone: 'bad' })
  expect(changeView(5)).toMatchObject({ tone: 'plain' })
  expect(changeView(0, 'more')).toMatchObject({ arrow: '', text: '持平' })
  expect(changeView(undefined, 'more')).toMatchObject({ text: '—', words: '还没有昨日数据' })
})

test('long figures are shortened without becoming larger than they are', () => {
  expect(shortFigure(99_999)).toBe('99,999')
  expect(shortFigure(17_389_999)).toBe('1,738 万')
  expect(shortFigure(240_000_000)).toBe('2.4 亿')
  expect([99_999, 150_999, 17_389_999, 2_490_000_000].map((count) => shortFigure(count, 'en'))).toEqual([
    '99,999',
    '150K',
    '17M',
    '2.4B',
  ])
  expect(rateText(412.4)).toBe('412')
  expect(rateText(0.25)).toBe('0.3')
})

test('a duration has at most two parts', () => {
  expect(durationText(3 * 86_400 + 4 * 3_600 + 59)).toBe('3 天 4 小时')
  expect(durationText(2 * 3_600 + 10 * 60)).toBe('2 小时 10 分钟')
  expect(durationText(38 * 60)).toBe('38 分钟')
  expect(durationText(20)).toBe('20 秒')
  expect(durationText(86_400)).toBe('1 天')
})

test('an axis ends at a round number at or above the highest value', () => {
  expect(niceTop(242)).toBe(250)
  expect(niceTop(448)).toBe(500)
  expect(niceTop(0)).toBe(2)
  for (const highest of [1, 3, 17, 99, 101, 5_431, 1_000_000]) expect(niceTop(highest)).toBeGreaterThanOrEqual(highest)
})

test('a line far above zero begins near its lowest value, one that falls low begins at zero', () => {
  const [bottom, top] = niceRange(11_239, 11_745)
  expect(bottom).toBeGreaterThan(10_000)
  expect(bottom).toBeLessThanOrEqual(11_239)
  expect(top).toBeGreaterThanOrEqual(11_745)
  expect(niceRange(0, 450)[0]).toBe(0)
  expect(niceRange(0, 0)).toEqual([0, 2])
})

test('the average of no days is nothing', () => {
  expect(average([])).toBe(0)
  expect(average([192, 157, 210])).toBe(186)
})

test('the longest figure of a row sets its size', () => {
  expect(digitsOf([3, 1_000_000, 27])).toBe('1,000,000'.length)
})

test('a peak rises with the present, does not fall with it, and is forgotten after a day', () => {
  const hour = 3_600_000
  const first = peakOf({ value: 0, at: 0 }, 8.5, 1 * hour)
  const higher = peakOf(first, 9.1, 2 * hour)
  expect(higher).toEqual({ value: 9.1, at: 2 * hour })
  expect(peakOf(higher, 6.8, 25 * hour)).toBe(higher)
  expect(peakOf(higher, 6.8, 26 * hour).value).toBe(6.8)
})

test('a run says what it waits for: its pace, or devices that are not there', () => {
  const run = { paused: false, secondsLeft: 0, away: 30, total: 30 }
  expect(runLeft(run)).toBe('30 台离线，等待中')
  expect(runLeft({ ...run, secondsLeft: 90 })).toBe('剩 1 分钟')
  expect(runLeft({ ...run, away: 0 })).toBe('共 30')
  expect(runLeft({ ...run, paused: true })).toBe('已暂停')
})

test('today says whose day it is to who lives in another zone', () => {
  expect(todayWord('Asia/Shanghai', 'Asia/Singapore')).toBe('今日')
  expect(todayWord('Asia/Shanghai', 'UTC')).toBe('今日（UTC+8）')
})
