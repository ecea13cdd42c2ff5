import { expect, test } from 'vitest'
import { lastUses, linesPerCall } from './last-uses.ts'

/** A log, newest first, and what it was asked for. */
function makeLog(lines: { topic: string; timestamp: string }[]) {
  const calls: string[][] = []
  const newest = async (topics: string[]) => {
    calls.push(topics)
    return lines.filter(({ topic }) => topics.includes(topic)).slice(0, linesPerCall)
  }
  return { calls, newest }
}
const line = (topic: string, at: number) => ({ topic, timestamp: String(at) })
const topics = Array.from({ length: 22 }, (_, i) => `t${i}`)

test('a quiet device takes a call for each twenty topics, of which one takes the newest line', async () => {
  const { calls, newest } = makeLog([line('t3', 9), line('t3', 8), line('t21', 7)])
  expect(await lastUses(topics, newest)).toEqual({ t3: '9', t21: '7' })
  expect(calls.map(({ length }) => length)).toEqual([20, 2])
})

test('a topic that fills the log does not hide an older one', async () => {
  const busy = Array.from({ length: linesPerCall * 3 }, (_, i) => line('t0', 1000 - i))
  const { calls, newest } = makeLog([...busy, line('t1', 2)])
  expect(await lastUses(topics, newest)).toEqual({ t0: '1000', t1: '2' })
  expect(calls).toHaveLength(3)
})

test('a topic of two rows is asked for once', async () => {
  const { calls, newest } = makeLog([])
  expect(await lastUses(['a', 'a'], newest)).toEqual({})
  expect(calls).toEqual([['a']])
})
