import { expect, test } from 'vitest'
import { checkCron } from '../cron.ts'
import { cronSentence, cronWords } from './describe-cron.ts'

const said = (expression: string, zone?: string) =>
  cronSentence(expression, zone)
    .map(({ text }) => text)
    .join('')

test.each([
  ['* * * * * *', '每秒'],
  ['*/10 * * * * *', '每 10 秒'],
  ['0 * * * * *', '每分钟'],
  ['0 */5 * * * ?', '每 5 分钟'],
  ['0 0 * * * *', '每小时'],
  ['0 20 * * * *', '每小时第 20 分钟'],
  ['0 0 */6 * * *', '每 6 小时'],
  ['0 0 12 * * ?', '每天 12:00:00'],
  ['30 5 8 * * *', '每天 08:05:30'],
  ['0 0 8,12,18 * * *', '每天 08:00、12:00、18:00'],
  ['0 30 6 * * 1-5', '周一至周五 06:30:00'],
  ['0 30 6 ? * MON,WED', '每周一、三 06:30:00'],
  ['0 0 9 * * 1,3,5', '每周一、三、五 09:00:00'],
  ['0 0 9 * * 0', '每周日 09:00:00'],
  ['0 0 9 * * 6,7', '每周六、日 09:00:00'],
  ['0 0 9 * * 1-7', '每天 09:00:00'],
  ['0 0 9 1,15 * ?', '每月 1、15 日 09:00:00'],
  ['0 0 9 15,1 * ?', '每月 1、15 日 09:00:00'],
  ['0 0 9 1-7 * ?', '每月 1 至 7 日 09:00:00'],
  ['0 0 0 1 1 *', '每年 1 月 1 日 00:00:00'],
  ['0 0 0 1 6-8 *', '每年 6 至 8 月 1 日 00:00:00'],
  ['0 */5 * * * 1-5', '周一至周五 每 5 分钟'],
])('%s is read "%s"', (expression, wanted) => {
  expect(checkCron(expression).ok).toBe(true)
  expect(said(expression)).toBe(wanted)
})

test.each(['0 0 8 1 * 1', '0 0/7 9-17 * * *', '1-30 * * * * *', '0 0 8-18/2 * * 1-5'])(
  '%s has no short reading and is shown as it is',
  (expression) => {
    expect(said(expression)).toBe(`cron ${expression}`)
    expect(cronWords(expression)).toBeUndefined()
  },
)

test('the zone follows a time of day, not an interval', () => {
  expect(said('0 0 12 * * ?', 'UTC+8')).toBe('每天 12:00:00（UTC+8）')
  expect(said('0 */5 * * * ?', 'UTC+8')).toBe('每 5 分钟')
})

test.each([
  ['0 0 2 * * *', '每天 02:00'],
  ['30 5 8 * * 3,1', '每周一、三 08:05:30'],
  ['0 30 6 * * 1-5', '周一至周五 06:30'],
  ['0 30 9 15,1 * ?', '每月 1、15 日 09:30'],
  ['0 * * * * *', '每分钟'],
  ['0 0 */6 * * *', '每 6 小时'],
  ['0 */5 * * * 1-5', '周一至周五 每 5 分钟'],
])('%s is "%s" in a line of text', (expression, words) => {
  expect(cronWords(expression)).toBe(words)
})
