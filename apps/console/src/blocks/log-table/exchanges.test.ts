import { expect, test } from 'vitest'
import { groupByRequest, replyState } from './exchanges.ts'
import { logRow } from './testing/log-row.ts'

const control = logRow({ timestamp: '1000', way: 'down', method: 'control', requestID: 'c-1' })
const answer = logRow({ timestamp: '1089', way: 'up', method: 'control_reply', requestID: 'c-1', latency: 89 })
const report = logRow({ timestamp: '1050', way: 'up', method: 'report', requestID: 'r-7' })

test('a reply joins its request, which stands where the reply stood', () => {
  const [first, second, ...rest] = groupByRequest([answer, report, control])
  expect(first).toMatchObject({ method: 'control', replies: [answer] })
  expect(second).toMatchObject({ method: 'report', replies: [] })
  expect(rest).toEqual([])
})

test('the same token of another device is another request', () => {
  const foreign = { ...answer, deviceName: 'other' }
  expect(groupByRequest([foreign, control]).map(({ replies }) => replies.length)).toEqual([0, 0])
})

test('a device that always uses one token still gets one line a message', () => {
  const again = { ...report, timestamp: '2000', tranceID: 'b' }
  expect(groupByRequest([again, report])).toHaveLength(2)
})

test('messages without a token are never joined', () => {
  const silent = { ...control, requestID: '' }
  const reply = { ...answer, requestID: '' }
  expect(groupByRequest([reply, silent])).toHaveLength(2)
})

test('a reply ten minutes later belongs to no open request', () => {
  const late = { ...answer, timestamp: String(1000 + 11 * 60_000) }
  expect(groupByRequest([late, control])).toHaveLength(2)
})

test('a command waits for ten seconds and is then out of time', () => {
  const asked = { ...control, replies: [] }
  expect(replyState(asked, 10_999).state).toBe('waiting')
  expect(replyState(asked, 11_000).state).toBe('timeout')
  expect(replyState({ ...asked, replies: [answer] }, 99_000)).toEqual({ state: 'answered', reply: answer, latency: 89 })
})

test('what a device refuses is told apart from what it did; a report needs no answer', () => {
  const refusal = { ...answer, resultType: '2000004', latency: 0 }
  expect(replyState({ ...control, replies: [refusal] }, 0)).toEqual({ state: 'refused', reply: refusal, latency: 89 })
  expect(replyState({ ...report, replies: [] }, 99_000)).toEqual({ state: 'none' })
})
