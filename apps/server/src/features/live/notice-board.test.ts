import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeNoticeBoard } from './notice-board.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  const heard: Array<{ topic: string; changes: string[] }> = []
  const marks: string[] = []
  const watcher = { send: (text: string) => void heard.push(JSON.parse(text)) }
  const board = makeNoticeBoard({
    gapMs: 500,
    now: () => 42,
    opened: (topic) => void marks.push(`+${topic}`),
    closed: (topic) => void marks.push(`-${topic}`),
  })
  return { board, watcher, heard, marks }
}

test('the first change is told at once, with all others of the moment', () => {
  const { board, watcher, heard } = setUp()
  board.join('device/p/d', watcher)
  board.tell('device/p/d', 'values')
  board.tell('device/p/d', 'log')
  vi.advanceTimersByTime(10)
  expect(heard).toEqual([{ topic: 'device/p/d', at: 42, changes: ['values', 'log'] }])
})

test('at most two notices a second and topic, and the last change is never lost', () => {
  const { board, watcher, heard } = setUp()
  board.join('device/p/d', watcher)
  for (let ms = 0; ms < 2000; ms += 10) {
    board.tell('device/p/d', 'values')
    vi.advanceTimersByTime(10)
  }
  const during = heard.length
  expect(during).toBeGreaterThanOrEqual(4)
  expect(during).toBeLessThanOrEqual(5)
  board.tell('device/p/d', 'presence')
  vi.advanceTimersByTime(500)
  expect(heard.at(-1)?.changes).toContain('presence')
  vi.advanceTimersByTime(5000)
  expect(heard.length).toBeLessThanOrEqual(during + 1)
})

test('changes within the gap come together, each once', () => {
  const { board, watcher, heard } = setUp()
  board.join('device/p/d', watcher)
  board.tell('device/p/d', 'values')
  vi.advanceTimersByTime(10)
  for (const change of ['log', 'command', 'log', 'values'] as const) board.tell('device/p/d', change)
  vi.advanceTimersByTime(500)
  expect(heard[1]?.changes.toSorted()).toEqual(['command', 'log', 'values'])
  expect(heard).toHaveLength(2)
})

test('one topic does not slow another', () => {
  const { board, watcher, heard } = setUp()
  board.join('device/p/a', watcher)
  board.join('device/p/b', watcher)
  board.tell('device/p/a', 'values')
  board.tell('device/p/b', 'values')
  vi.advanceTimersByTime(10)
  expect(heard.map(({ topic }) => topic)).toEqual(['device/p/a', 'device/p/b'])
})

test('all topics of a product hear of a change of the product', () => {
  const { board, watcher, heard } = setUp()
  for (const topic of ['device/p/a', 'device/p/b', 'device/pq/a']) board.join(topic, watcher)
  board.tellAll('device/p/', 'info')
  vi.advanceTimersByTime(10)
  expect(heard.map(({ topic }) => topic)).toEqual(['device/p/a', 'device/p/b'])
})

test('a topic exists from its first watcher to its last', () => {
  const { board, watcher, heard, marks } = setUp()
  const other = { send: () => undefined }
  board.join('job/1', watcher)
  board.join('job/1', other)
  board.leave('job/1', watcher)
  board.tell('job/1', 'info')
  vi.advanceTimersByTime(1000)
  expect(heard).toEqual([])
  board.leave('job/1', other)
  board.leave('job/1', other)
  expect(marks).toEqual(['+job/1', '-job/1'])
  expect(board.topics).toBe(0)
})
