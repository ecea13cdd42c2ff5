import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeBackground } from './background.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

function open() {
  const lines: string[] = []
  const log = pino({ base: undefined, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line).msg) })
  const metrics = new Registry()
  const background = makeBackground({ clock: { now: () => Date.now() }, log, metrics })
  const metric = async (line: string) => (await metrics.metrics()).split('\n').find((one) => one.startsWith(line))
  return { background, lines, metric }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('every', () => {
  test('begins at once, goes on after each turn and never does two at a time', async () => {
    const { background } = open()
    const ends: Array<() => void> = []
    const work = background.every({ name: 'slow', everyMs: 100, run: () => new Promise<void>((end) => ends.push(end)) })
    expect(ends).toHaveLength(1)
    await pass(1_000)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await pass(99)
    expect(ends).toHaveLength(1)
    await pass(1)
    expect(ends).toHaveLength(2)
    let over = false
    const stopping = work.stop().then(() => {
      over = true
    })
    await pass(1_000)
    expect(over).toBe(false)
    ends[1]?.()
    await stopping
    await pass(1_000)
    expect(ends).toHaveLength(2)
  })

  test('may begin later', async () => {
    const { background } = open()
    const run = vi.fn(async () => undefined)
    background.every({ name: 'late', everyMs: 1_000, firstMs: 60, run })
    await pass(59)
    expect(run).not.toHaveBeenCalled()
    await pass(1)
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('a loop', () => {
  test('is there at the moment it knows, when it is woken, and again after a turn that was at work then', async () => {
    const { background } = open()
    const at: number[] = []
    let next: number | undefined = 300
    let hold: Promise<void> | undefined
    const loop = background.loop({
      name: 'due',
      everyMs: 1_000,
      async turn() {
        at.push(Date.now())
        await hold
        const moment = next
        next = undefined
        return moment
      },
    })
    loop.wake()
    await pass(50)
    expect(at).toEqual([])
    loop.start()
    await pass(400)
    expect(at).toEqual([50, 300])
    loop.wake(600)
    loop.wake(900)
    await pass(200)
    expect(at).toEqual([50, 300, 600])
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    loop.wake()
    await pass(10)
    loop.wake()
    await pass(10)
    expect(at).toEqual([50, 300, 600, 650])
    resolve()
    await pass(0)
    expect(at).toEqual([50, 300, 600, 650, 670])
    await pass(1_000)
    expect(at.at(-1)).toBe(1_670)
  })

  test('without an interval does something only when it is woken or flushed', async () => {
    const { background } = open()
    const turn = vi.fn(async () => undefined)
    const loop = background.loop({ name: 'woken', turn })
    loop.start()
    await pass(3_600_000)
    expect(turn).not.toHaveBeenCalled()
    loop.wake()
    await pass(0)
    expect(turn).toHaveBeenCalledTimes(1)
    await loop.stop()
    loop.wake()
    await pass(10)
    expect(await loop.flush()).toBe(true)
    expect(turn).toHaveBeenCalledTimes(2)
  })

  test('that fails tries again less and less often, whoever wakes it, and says so once', async () => {
    const { background, lines, metric } = open()
    const at: number[] = []
    let away = true
    const loop = background.loop({
      name: 'shaky',
      everyMs: 1_000,
      async turn() {
        at.push(Date.now())
        if (away) throw new Error('database away')
        return undefined
      },
    })
    loop.start()
    await pass(500)
    loop.wake()
    await pass(17_500)
    expect(at).toEqual([0, 1_000, 3_000, 7_000, 12_000, 17_000])
    expect(lines).toEqual(['background work failed, trying again'])
    expect(await metric('ithings_background_failing{work="shaky"}')).toMatch(/ 1$/)
    away = false
    await pass(5_000)
    expect(at.slice(6)).toEqual([22_000, 23_000])
    expect(lines).toEqual(['background work failed, trying again', 'background work goes on'])
    expect(await metric('ithings_background_failures_total{work="shaky"}')).toMatch(/ 6$/)
    expect(await metric('ithings_background_failing{work="shaky"}')).toMatch(/ 0$/)
  })

  test('with a long interval tries again after that interval', async () => {
    const { background } = open()
    const run = vi.fn(async () => {
      throw new Error('broken')
    })
    background.every({ name: 'hourly', everyMs: 3_600_000, run })
    await pass(3_599_000)
    expect(run).toHaveBeenCalledTimes(1)
    await pass(1_000)
    expect(run).toHaveBeenCalledTimes(2)
  })
})

describe('a claim loop', () => {
  test('fills its places, claims again when one is free and waits for all when it stops', async () => {
    const { background, lines } = open()
    const waiting = [1, 2, 3, 4]
    const rooms: number[] = []
    const ends = new Map<number, (error?: Error) => void>()
    let told = 0
    const loop = background.claimLoop<number>({
      name: 'rows',
      everyMs: 1_000,
      places: 2,
      async claim(room) {
        rooms.push(room)
        return waiting.splice(0, room)
      },
      work: (row, stopping) =>
        new Promise((resolve, reject) => {
          stopping.addEventListener('abort', () => {
            told += 1
          })
          ends.set(row, (error) => (error ? reject(error) : resolve()))
        }),
    })
    loop.start()
    await pass(5_000)
    expect([...ends.keys()]).toEqual([1, 2])
    expect(rooms).toEqual([2])
    ends.get(1)?.(new Error('its end could not be noted'))
    await pass(0)
    expect([...ends.keys()]).toEqual([1, 2, 3])
    expect(lines).toEqual(['claimed work was not ended'])
    let over = false
    const stopping = loop.stop().then(() => {
      over = true
    })
    await pass(1_000)
    expect([told, over]).toEqual([3, false])
    for (const end of ends.values()) end()
    await stopping
    expect(waiting).toEqual([4])
  })
})
