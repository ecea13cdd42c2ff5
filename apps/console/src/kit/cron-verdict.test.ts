import { expect, test } from 'vitest'
import { readCron } from './cron-verdict.ts'

test('an expression is read in our words, a rarer one in those of the library, a wrong one not at all', () => {
  expect(readCron('0 30 6 * * 1-5').words).toBe('周一至周五 06:30')
  expect(readCron('0 */7 9-17 * * *').words).toMatch(/7 ?分钟/)
  expect(readCron('0 0 25 * * *')).toEqual({ verdict: { ok: false, message: '无效 Cron 表达式' } })
})
