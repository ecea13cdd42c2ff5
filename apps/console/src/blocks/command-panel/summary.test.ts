import { expect, test } from 'vitest'
import { logRow } from '../log-table/testing/log-row.ts'
import { lineText, summaryOf } from './summary.ts'

test('values come first, the envelope stays out', () => {
  const message = { method: 'report', clientToken: 'a', timestamp: 1, params: { level: 2.4, freq: 42.5, on: true } }
  expect(summaryOf(JSON.stringify(message))).toBe('level 2.4，freq 42.5 等 3 项')
  expect(summaryOf('{"level":2.4}')).toBe('level 2.4')
})

test('an action names itself before its input; a reply shows its output', () => {
  expect(summaryOf('{"method":"action","actionID":"flush","params":{"seconds":30}}')).toBe('actionID flush，seconds 30')
  expect(summaryOf('{"code":200,"msg":"成功","response":{"done":true}}')).toBe('done true')
})

test('what is no JSON object is shown as it is, cut when long', () => {
  expect(summaryOf('01 7f ff')).toBe('01 7f ff')
  expect(summaryOf('"心跳超时"')).toBe('心跳超时')
  expect(summaryOf('x'.repeat(99))).toBe(`${'x'.repeat(40)}…`)
  expect(summaryOf('')).toBe('')
})

test('a disconnect tells its reason', () => {
  const row = logRow({
    action: 'disconnected',
    method: '',
    content: '{"reason":"心跳超时","ip":"10.0.0.7","seconds":9}',
  })
  expect(lineText(row)).toBe('心跳超时 · IP 10.0.0.7')
  expect(lineText(logRow({ content: '{"level":2}' }))).toBe('level 2')
})
