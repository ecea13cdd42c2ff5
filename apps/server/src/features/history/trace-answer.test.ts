import { Dialect } from '@ithings/contract/device/messages.ts'
import { expect, test } from 'vitest'
import { JournalKind } from '#ports/journal.ts'
import { said } from '#testing/said.ts'
import { type Answered, answerText } from './trace-answer.ts'

const row = (fields: Partial<Answered> = {}): Answered => ({
  topic: '$thing/up/property/P/d',
  method: 'report',
  token: '',
  code: 200,
  kind: JournalKind.property,
  content: '{"temp":1}',
  ...fields,
})
const answered = (...given: Parameters<typeof answerText>) => said(answerText(...given))
const unlessSilenced = '（带 sys.noAsk 的消息不回复）'
const refused = (message: object, fields: Partial<Answered> = {}) =>
  row({ code: 100006, content: JSON.stringify(JSON.stringify(message)), ...fields })

test('decisions.md 2: the setting of the product comes before the spelling of the message', () => {
  expect(answered(row({ token: 't' }), Dialect.snake)).toBe(`report_reply 200${unlessSilenced}`)
  expect(answered(row({ token: 't' }), Dialect.camel)).toBe(`reportReply 200${unlessSilenced}`)
  expect(answered(row({ method: 'eventPost' }), Dialect.snake)).toBe(`event_reply 200${unlessSilenced}`)
})

test('a report with a token may have been answered in either spelling, one without token only in snake case', () => {
  expect(answered(row({ token: 't' }), Dialect.auto)).toBe(`report_reply 或 reportReply 200${unlessSilenced}`)
  expect(answered(row(), Dialect.auto)).toBe(`report_reply 200${unlessSilenced}`)
  expect(answered(row({ method: 'event_post', token: 't' }), Dialect.auto)).toBe(`event_reply 200${unlessSilenced}`)
})

test('a refused message shows the key of its token, and whether it asked for no answer', () => {
  const message = { method: 'report', params: {} }
  expect(answered(refused({ ...message, msgToken: 't' }, { token: 't' }), Dialect.auto)).toBe('reportReply 100006')
  expect(answered(refused({ ...message, clientToken: 't' }, { token: 't' }), Dialect.auto)).toBe('report_reply 100006')
  expect(answered(refused({ ...message, sys: { noAsk: true } }), Dialect.auto)).toBe('')
})

test('no answer is claimed where none is sure, or none is laid down', () => {
  const version = { topic: '$ota/up/report/P/d', method: 'reportInfo', kind: JournalKind.otaLog }
  expect(answered(row(version), Dialect.auto)).toBe('')
  expect(answered(refused({ method: 'reportInfo' }, version), Dialect.auto)).toBe('reportInfoReply 100006')
  expect(answered(row({ ...version, topic: '$ota/up/progress/P/d' }), Dialect.auto)).toContain('reportInfoReply 200')
  expect(answered(row({ method: 'control_reply' }), Dialect.auto)).toBe('')
  expect(answered(row({ method: '' }), Dialect.auto)).toBe('')
  expect(answered(row({ kind: JournalKind.publish }), Dialect.auto)).toBe('')
})
