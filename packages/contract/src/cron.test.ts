import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCron, cronMessages } from './cron.ts'

const from = new Date(Date.UTC(2026, 5, 15, 12, 0, 0))
const timezone = 'UTC'
const check = (text: string) => checkCron(text, { from, timezone })
const runs = (text: string) => {
  const verdict = check(text)
  return verdict.ok ? verdict.next.map((run) => run.toISOString().slice(0, 19)) : verdict.message
}

test('spec 5: the three messages', () => {
  expect(cronMessages).toEqual({
    empty: '请输入 cron 表达式',
    valid: '有效 Cron 表达式',
    invalid: '无效 Cron 表达式',
  })
})

test.each(['', '   ', null, undefined])('spec 5: an empty value %j is asked for', (text) => {
  expect(checkCron(text)).toEqual({ ok: false, message: '请输入 cron 表达式' })
})

test.each(['* * * * *', '0 0 0 1 1 * 2026', '0', '@daily'])('spec 5: %s has not exactly 6 fields', (text) => {
  expect(check(text)).toEqual({ ok: false, message: '无效 Cron 表达式' })
})

test.each([
  '*/10 * * * * *',
  '0 30 8 * * MON-FRI',
  '0 0 0 1 JAN *',
  '0 0 12 ? * 1',
  '0 0 12 1 * ?',
  '0 0 0 * * 7',
  '  0\t0  0 * * *  ',
])('spec 5: seconds, aliases, a blank day and 7 as Sunday are allowed: %s', (text) => {
  expect(check(text)).toMatchObject({ ok: true, message: '有效 Cron 表达式' })
})

test.each(['60 * * * * *', '0 0 24 * * *', '0 0 0 32 * *', '0 0 0 * 13 *', '0 0 0 * * 8', 'a b c d e f'])(
  '%s is out of its ranges',
  (text) => {
    expect(check(text)).toEqual({ ok: false, message: '无效 Cron 表达式' })
  },
)

test('what the scheduler cannot run is not valid although the validator takes it', () => {
  expect(check('0 */90 * * * *')).toEqual({ ok: false, message: '无效 Cron 表达式' })
  expect(check('0 0 0 31 2 *')).toEqual({ ok: false, message: '无效 Cron 表达式' })
})

test('the next five runs follow the moment asked about', () => {
  expect(runs('0 30 8 * * *')).toEqual([
    '2026-06-16T08:30:00',
    '2026-06-17T08:30:00',
    '2026-06-18T08:30:00',
    '2026-06-19T08:30:00',
    '2026-06-20T08:30:00',
  ])
})

test('7 and 0 are both Sunday', () => {
  expect(runs('0 0 0 * * 7')).toEqual(runs('0 0 0 * * 0'))
  expect(runs('0 0 0 * * 7')?.[0]).toBe('2026-06-21T00:00:00')
})

test('day of month and day of week both set: either is enough', () => {
  expect(runs('0 0 0 20 * 1')).toEqual([
    '2026-06-20T00:00:00',
    '2026-06-22T00:00:00',
    '2026-06-29T00:00:00',
    '2026-07-06T00:00:00',
    '2026-07-13T00:00:00',
  ])
})

test('a question mark means any day', () => {
  expect(runs('0 0 12 ? * 1')).toEqual(runs('0 0 12 * * 1'))
  expect(runs('0 0 12 1 * ?')).toEqual(runs('0 0 12 1 * *'))
})

test('the zone decides when it runs', () => {
  const verdict = checkCron('0 0 8 * * *', { from, timezone: 'Asia/Shanghai', runs: 1 })
  expect(verdict.ok && verdict.next[0]?.toISOString()).toBe('2026-06-16T00:00:00.000Z')
})

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof check(text).message === 'string'))
  const field = fc.constantFrom('*', '?', '0', '7', '*/5', '1-3', 'MON', 'L', '31', '1,2', '0/5')
  fc.assert(
    fc.property(
      fc.tuple(field, field, field, field, field, field),
      (six) => typeof check(six.join(' ')).ok === 'boolean',
    ),
  )
})
