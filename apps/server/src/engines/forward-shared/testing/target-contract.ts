/** What every target holds to that speaks to a server over TCP. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ForwardTarget, type ForwardTools, TargetAway } from '#ports/forward-target.ts'
import { messages, tools, untilTheEnd } from './messages.ts'
import { openWatchedLine, type WatchedLine } from './watched-line.ts'

export interface OtherSide {
  port: number
  /** Bodies of all messages so far, in their order. */
  arrived(): Promise<string[]>
  /** Gone at once, without a word. */
  kill(): Promise<void>
  /** At the same address. */
  startAgain(): Promise<void>
}

export interface TargetUnderTest {
  /** @param close called with what ends it */
  start(close: (end: () => Promise<void>) => void): Promise<OtherSide>
  open(host: string, port: number, tools: ForwardTools): ForwardTarget
}

const bodies = (from: number, to: number): string[] => messages(from, to).map(({ body }) => body)
const away = expect.any(TargetAway)
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

export function targetContract(name: string, { start, open }: TargetUnderTest): void {
  describe(name, () => {
    let closers: Array<() => Promise<void>>
    let side: OtherSide
    let line: WatchedLine

    beforeEach(async () => {
      closers = []
      side = await start((close) => void closers.push(close))
      line = await openWatchedLine(side.port)
      closers.push(() => line.close())
    })
    afterEach(async () => {
      for (const close of closers.toReversed()) await close()
    })
    function openHere(by: ForwardTools = tools(), host = '127.0.0.1'): ForwardTarget {
      const target = open(host, line.port, by)
      closers.push(() => target.close())
      return target
    }

    test('messages arrive in their order, by one connection', async () => {
      const target = openHere()
      expect(await target.send(messages(1, 60), untilTheEnd)).toEqual([])
      expect(await target.send(messages(61, 100), untilTheEnd)).toEqual([])
      expect(await target.send([], untilTheEnd)).toEqual([])
      expect(line.connections()).toBe(1)
      await expect.poll(() => side.arrived()).toEqual(bodies(1, 100))
    })

    test('a server that dies in the middle is away; back again, it gets everything', async () => {
      const target = openHere()
      expect(await target.send(messages(1, 10), untilTheEnd)).toEqual([])
      line.isDeaf = true
      const sending = failure(target.send(messages(11, 30), untilTheEnd))
      await side.kill()
      expect(await sending).toEqual(away)
      expect(await failure(target.send(messages(11, 30), untilTheEnd))).toEqual(away)
      await side.startAgain()
      line.isDeaf = false
      expect(await target.send(messages(11, 30), untilTheEnd)).toEqual([])
      // Some may have arrived before it died: they came twice, with the same id.
      await expect.poll(async () => [...new Set(await side.arrived())]).toEqual(bodies(1, 30))
    })

    test.each(['127.0.0.1', 'localhost'])('%s is refused unless it is allowed', async (host) => {
      const error = await failure(openHere(tools([]), host).send(messages(1, 1), untilTheEnd))
      expect(error).toEqual(away)
      expect((error as TargetAway).message).toBe(
        `地址 ${host} 属于内部网络，不允许访问（可由管理员在 WEBHOOK_ALLOW 中放行）`, // not a text
      )
      expect(line.connections()).toBe(0)
      expect(await side.arrived()).toEqual([])
    })

    test('who does not answer is away, and its connection ends', async () => {
      line.isDeaf = true
      const error = await failure(openHere(tools(undefined, 200)).send(messages(1, 3), untilTheEnd))
      expect(error).toEqual(away)
      expect((error as TargetAway).words.text).toBe('对方 {count} 秒内没有应答') // not a text
      await expect.poll(() => line.connections()).toBe(0)
    })

    test.each([true, false])(
      'a send that is stopped ends, with its connection (before one is open: %s)',
      async (isNew) => {
        const target = openHere()
        if (!isNew) expect(await target.send(messages(1, 1), untilTheEnd)).toEqual([])
        line.isDeaf = true
        const stop = new AbortController()
        const sending = failure(target.send(messages(2, 20), stop.signal))
        await expect.poll(() => line.connections()).toBe(1)
        stop.abort()
        expect(await sending).toEqual(away)
        await expect.poll(() => line.connections()).toBe(0)
        expect(await failure(target.send(messages(2, 20), stop.signal))).toEqual(away)
        line.isDeaf = false
        expect(await target.send(messages(2, 20), untilTheEnd)).toEqual([])
      },
    )

    test('closing ends the connection and whatever is under way, for good', async () => {
      const target = openHere()
      expect(await target.send(messages(1, 5), untilTheEnd)).toEqual([])
      line.isDeaf = true
      const sending = failure(target.send(messages(6, 10), untilTheEnd))
      await target.close()
      expect(await sending).toEqual(away)
      await expect.poll(() => line.connections()).toBe(0)
      expect(await failure(target.send(messages(6, 10), untilTheEnd))).toEqual(away)
      expect(line.connections()).toBe(0)
    })
  })
}
