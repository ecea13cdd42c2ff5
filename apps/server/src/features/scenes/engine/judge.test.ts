import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import type { CompiledTrigger, Fact } from './engine-types.ts'
import { confirm, due, dueAgain, emptyState, judge, nextMinute } from './judge.ts'
import { event, makeTrigger, presence, silence, values } from './testing/pump-scene.ts'

/** Seconds, so that the numbers of a test are those of its sentence. */
const temp = (second: number, value: number) => values(second * 1000, { temp: value })

/** As live watching does it: timers up to each fact first, conditions asked, what held confirmed. */
function firings(
  trigger: CompiledTrigger,
  facts: Fact[],
  until = 1_000_000,
  holds: (at: number) => boolean = () => true,
) {
  const state = emptyState()
  const fired: number[] = []
  const ask = (verdict: ReturnType<typeof judge>) => {
    if (verdict.kind !== 'fire' || !holds(verdict.at)) return
    fired.push(verdict.at / 1000)
    confirm(state, verdict.at)
  }
  for (const fact of facts) {
    ask(due(trigger, state, fact.at))
    ask(judge(trigger, state, fact))
  }
  ask(due(trigger, state, until))
  return fired
}

describe('what a trigger looks at', () => {
  test('a plain property trigger fires on every matching report', () => {
    expect(firings(makeTrigger(), [temp(1, 90), temp(2, 80), temp(3, 81), temp(4, 95)])).toEqual([1, 3, 4])
  })

  test('reports of other properties are not its business', () => {
    expect(judge(makeTrigger(), emptyState(), values(1, { count: 100 }))).toEqual({ kind: 'none' })
    expect(judge(makeTrigger(), emptyState(), event(1, 'temp'))).toEqual({ kind: 'none' })
    expect(judge(makeTrigger(), emptyState(), temp(1, 80))).toEqual({ kind: 'no' })
  })

  test('without a term every report counts', () => {
    const trigger = makeTrigger({ operationSchema: { dataID: ['note'], termType: null, values: null } })
    expect(firings(trigger, [values(1000, { note: '' }), temp(2, 90), values(3000, { note: 'x' })])).toEqual([1, 3])
  })

  test('a report of a struct that leaves the member out says nothing about it', () => {
    const trigger = makeTrigger({
      operationSchema: { dataID: ['pos', 'x'], termType: 'gt', values: ['5'] },
      once: true,
    })
    const facts = [values(1000, { pos: { x: 6 } }), values(2000, { pos: { y: 1 } }), values(3000, { pos: { x: 7 } })]
    expect(firings(trigger, facts)).toEqual([1])
    const state = emptyState()
    expect(judge(trigger, state, values(1, { pos: { x: 6, y: 2 } }))).toEqual({ kind: 'fire', value: 6, at: 1 })
    expect(judge(trigger, state, values(2, { pos: null }))).toEqual({ kind: 'none' })
  })

  test('names that every object has are no properties', () => {
    const trigger = { ...makeTrigger(), dataID: 'toString', test: undefined }
    expect(judge(trigger, emptyState(), values(1, {}))).toEqual({ kind: 'none' })
  })

  test('an event fires each time, a parameter may be asked for', () => {
    const any = makeTrigger({
      operator: 'reportEvent',
      operationSchema: { dataID: ['fault'], termType: null, values: null },
    })
    expect(firings(any, [event(1000, 'fault', { level: 1 }), event(2000, 'other'), event(3000, 'fault')])).toEqual([
      1, 3,
    ])
    const grave = makeTrigger({
      operator: 'reportEvent',
      operationSchema: { dataID: ['fault', 'level'], termType: 'gte', values: ['5'] },
    })
    const facts = [4, 5, 9].map((level, n) => event(n * 1000, 'fault', { level }))
    expect(firings(grave, facts)).toEqual([1, 2])
  })
})

describe('once and minInterval', () => {
  test('once fires again only after the state was false in between', () => {
    const trigger = makeTrigger({ once: true })
    const facts = [temp(1, 90), temp(2, 91), temp(3, 70), temp(4, 90), temp(5, 90)]
    expect(firings(trigger, facts)).toEqual([1, 4])
  })

  test('once counts only firings whose conditions held', () => {
    const facts = [temp(1, 90), temp(2, 91), temp(3, 92)]
    expect(firings(makeTrigger({ once: true }), facts, 9e6, (at) => at >= 2000)).toEqual([2])
  })

  test('a happening without a test is no state: once does not silence it for ever', () => {
    const trigger = makeTrigger({ operationSchema: { dataID: ['temp'], termType: null, values: null }, once: true })
    expect(firings(trigger, [temp(1, 0), temp(2, 0)])).toEqual([1, 2])
  })

  test('minInterval keeps a distance from the last firing that counted', () => {
    const trigger = makeTrigger({ minInterval: 10 })
    const facts = [1, 5, 10, 11, 15, 21].map((second) => temp(second, 90))
    expect(firings(trigger, facts)).toEqual([1, 11, 21])
    expect(firings(trigger, facts, 9e6, (at) => at !== 1000)).toEqual([5, 15])
  })

  test('a refusal says why', () => {
    const trigger = makeTrigger({ minInterval: 10 })
    const state = emptyState()
    judge(trigger, state, temp(1, 90))
    confirm(state, 1000)
    expect(said(judge(trigger, state, temp(2, 90)))).toEqual({ kind: 'no', reason: '距上次触发不足 10 秒' })
  })
})

describe('duration', () => {
  const thirty = makeTrigger({}, { type: 'duration', value: 30 })

  test('fires by timer without a further report', () => {
    expect(firings(thirty, [temp(1, 90)])).toEqual([31])
    const state = emptyState()
    expect(judge(thirty, state, temp(1, 90))).toEqual({ kind: 'hold', since: 1000, dueAt: 31_000 })
    expect(due(thirty, state, 30_999)).toEqual({ kind: 'hold', since: 1000, dueAt: 31_000 })
    expect(due(thirty, state, 40_000)).toEqual({ kind: 'fire', value: 90, at: 31_000 })
    expect(due(thirty, state, 50_000)).toEqual({ kind: 'none' })
  })

  test('a false report in between starts the time anew', () => {
    expect(firings(thirty, [temp(1, 90), temp(20, 70), temp(25, 90), temp(40, 95)])).toEqual([55])
    expect(firings(thirty, [temp(1, 90), temp(30, 80)])).toEqual([])
  })

  test('a timer that is late does not lose to the report that ends the state', () => {
    expect(firings(thirty, [temp(1, 90), temp(33, 70)])).toEqual([31])
  })

  test('fires once for each truth', () => {
    const facts = [1, 20, 40, 60, 80].map((second) => temp(second, 90))
    expect(firings(thirty, [...facts, temp(100, 0), temp(101, 90)])).toEqual([31, 131])
  })

  test('when the conditions fail at that moment the next matching report asks again', () => {
    const facts = [temp(1, 90), temp(10, 90), temp(35, 90), temp(50, 90), temp(60, 90)]
    expect(firings(thirty, facts, 9e6, (at) => at >= 40_000)).toEqual([50])
  })

  test('the value told is the last one that matched', () => {
    const state = emptyState()
    judge(thirty, state, temp(1, 90))
    judge(thirty, state, temp(5, 99))
    expect(due(thirty, state, 31_000)).toMatchObject({ kind: 'fire', value: 99 })
  })

  test('a distance between firings moves the moment', () => {
    const trigger = makeTrigger({ minInterval: 100 }, { type: 'duration', value: 10 })
    expect(firings(trigger, [temp(1, 90), temp(20, 0), temp(21, 90)])).toEqual([11, 111])
  })

  test('zero seconds is at once', () => {
    expect(firings(makeTrigger({}, { type: 'duration', value: 0 }), [temp(1, 90), temp(2, 90)])).toEqual([1, 2])
  })
})

describe('repeating', () => {
  const three = makeTrigger({}, { type: 'repeating', value: 3, window: 10 })

  test('so many matches within the window, then counting starts anew', () => {
    expect(
      firings(
        three,
        [1, 2, 3, 4, 5, 6, 7].map((second) => temp(second, 90)),
      ),
    ).toEqual([3, 6])
  })

  test('matches that lie too far apart do not count together', () => {
    expect(
      firings(
        three,
        [1, 7, 12, 13].map((second) => temp(second, 90)),
      ),
    ).toEqual([13])
    expect(
      firings(
        three,
        [0, 5, 10].map((second) => temp(second, 90)),
      ),
    ).toEqual([10])
  })

  test('reports that do not match neither count nor reset', () => {
    expect(firings(three, [temp(1, 90), temp(2, 0), temp(3, 90), temp(4, 0), temp(5, 90)])).toEqual([5])
  })

  test('the window is a minute when the scene does not say', () => {
    const twice = makeTrigger({}, { type: 'repeating', value: 2 })
    expect(firings(twice, [temp(0, 90), temp(61, 90), temp(121, 90)])).toEqual([121])
  })

  test('only a firing whose conditions held uses the matches up', () => {
    const facts = [1, 2, 3, 4, 5].map((second) => temp(second, 90))
    expect(firings(three, facts, 9e6, (at) => at >= 4000)).toEqual([4])
  })

  test('says how many are missing', () => {
    expect(said(judge(three, emptyState(), temp(1, 90)))).toEqual({
      kind: 'no',
      reason: '10 秒内第 1 次，共需 3 次',
    })
  })
})

describe('presence', () => {
  const none = { dataID: [], termType: null, values: null }
  const online = makeTrigger({ operator: 'connected', operationSchema: none })
  const offline = makeTrigger({ operator: 'disConnected', operationSchema: none })
  const day = [presence(1000, true), presence(2000, true), presence(3000, false), presence(4000, true)]

  test('coming and going fire once each, not at every sign of life', () => {
    expect(firings(online, day)).toEqual([1, 4])
    expect(firings(offline, day)).toEqual([3])
  })

  test('offline for a while: coming back ends it', () => {
    const trigger = makeTrigger({ operator: 'disConnected', operationSchema: none }, undefined)
    const kept = { ...trigger, keepMs: 10_000 }
    expect(firings(kept, [presence(1000, false), presence(5000, true), presence(20_000, false)])).toEqual([30])
    expect(firings(kept, [presence(1000, false), presence(5000, false)])).toEqual([11])
  })

  test('flapping: three times offline within a minute', () => {
    const flapping = { ...offline, times: 3, windowMs: 60_000 }
    const facts = [1, 2, 3, 4, 5, 6].map((second) => presence(second * 1000, second % 2 === 0))
    expect(firings(flapping, facts)).toEqual([5])
  })
})

describe('silence', () => {
  const trigger = (dataID: string[]) =>
    makeTrigger({ operator: 'noReport', operationSchema: { dataID, minutes: 10, termType: null, values: null } })
  const minute = 60_000

  test('fires once, and again only after something was heard', () => {
    const facts = [
      silence(10 * minute, 0),
      silence(20 * minute, 0),
      values(21 * minute, { note: '' }),
      silence(31 * minute, 21 * minute),
    ]
    expect(firings(trigger([]), facts)).toEqual([600, 1860])
  })

  test('too short a silence is none', () => {
    expect(judge(trigger([]), emptyState(), silence(10 * minute - 1, 0))).toEqual({ kind: 'none' })
  })

  test('of a property: other properties and events do not break it', () => {
    const one = trigger(['temp'])
    const facts = [silence(10 * minute, 0, 'temp'), values(11 * minute, { count: 1 }), event(12 * minute, 'fault')]
    expect(firings(one, [...facts, silence(22 * minute, 0, 'temp')])).toEqual([600])
    expect(
      firings(one, [...facts, values(13 * minute, { temp: 1 }), silence(23 * minute, 13 * minute, 'temp')]),
    ).toEqual([600, 1380])
    expect(judge(one, emptyState(), silence(20 * minute, 0, ''))).toEqual({ kind: 'none' })
  })
})

describe('a state that ends before its time', () => {
  const keep = { type: 'duration', value: 30 } as const

  test('says how long it lasted and how long it had to', () => {
    const trigger = makeTrigger({}, keep)
    const state = emptyState()
    judge(trigger, state, temp(10, 90))
    expect(said(judge(trigger, state, temp(22.9, 70)))).toEqual({ kind: 'no', reason: '只持续 12 秒，需 30 秒' })
    expect(judge(trigger, state, temp(23, 70))).toEqual({ kind: 'no' })
    const away = makeTrigger({ operator: 'disConnected' }, keep)
    judge(away, state, presence(0, false))
    expect(said(judge(away, state, presence(5_000, true)))).toEqual({
      kind: 'no',
      reason: '只持续 5 秒，需 30 秒',
    })
  })

  test('is no near miss once it was asked about; one that was too near to the last firing says so', () => {
    const trigger = makeTrigger({ minInterval: 60 }, keep)
    const state = emptyState()
    judge(trigger, state, temp(0, 90))
    expect(due(trigger, state, 30_000)).toMatchObject({ kind: 'fire' })
    confirm(state, 30_000)
    expect(judge(trigger, state, temp(31, 70))).toEqual({ kind: 'no' })
    judge(trigger, state, temp(32, 90))
    expect(due(trigger, state, 70_000)).toMatchObject({ kind: 'hold', dueAt: 90_000 })
    expect(said(judge(trigger, state, temp(70, 70)))).toEqual({ kind: 'no', reason: '距上次触发不足 60 秒' })
  })
})

describe('a state that was asked about and whose conditions did not hold', () => {
  test('is asked about again while the device says nothing, until it fired or is over', () => {
    const away = makeTrigger({ operator: 'disConnected' }, { type: 'duration', value: 30 })
    const state = emptyState()
    judge(away, state, presence(1_000, false))
    expect(dueAgain(away, state, 20_000)).toEqual({ kind: 'none' })
    due(away, state, 31_000)
    expect(due(away, state, nextMinute(31_000))).toEqual({ kind: 'none' })
    expect(dueAgain(away, state, nextMinute(31_000))).toEqual({ kind: 'fire', value: undefined, at: 60_000 })
    confirm(state, 60_000)
    expect(dueAgain(away, state, nextMinute(60_000))).toEqual({ kind: 'none' })
    expect(nextMinute(60_000)).toBe(120_000)
  })

  test('waits for a report when the device sends some', () => {
    const hot = makeTrigger({}, { type: 'duration', value: 30 })
    const state = emptyState()
    judge(hot, state, temp(1, 90))
    due(hot, state, 31_000)
    expect(dueAgain(hot, state, 60_000)).toEqual({ kind: 'none' })
  })
})

test('while conditions are looked up, a trigger with memory does not ask again, one without does', () => {
  const once = emptyState()
  once.deciding = true
  expect(judge(makeTrigger({ once: true }), once, temp(1, 90))).toEqual({ kind: 'no' })
  const plain = emptyState()
  plain.deciding = true
  expect(judge(makeTrigger(), plain, temp(1, 90))).toMatchObject({ kind: 'fire' })
})

describe('laws', () => {
  const reports = fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 20 }), hot: fc.boolean() }), { maxLength: 60 })
    .map((list) => {
      let second = 0
      return list.map(({ gap, hot }) => {
        second += gap
        return { second, hot }
      })
    })
  const asFacts = (list: Array<{ second: number; hot: boolean }>) =>
    list.map((one) => temp(one.second, one.hot ? 90 : 70))
  const end = 100_000

  test('duration fires exactly once in every stretch of truth that lasts long enough', () =>
    fc.assert(
      fc.property(reports, fc.integer({ min: 1, max: 60 }), (list, keep) => {
        const expected: number[] = []
        for (const [index, one] of list.entries()) {
          if (!one.hot || list[index - 1]?.hot) continue
          const over = list.slice(index).find(({ hot }) => !hot)?.second ?? end
          if (over - one.second >= keep) expected.push(one.second + keep)
        }
        const trigger = makeTrigger({}, { type: 'duration', value: keep })
        expect(firings(trigger, asFacts(list), end * 1000)).toEqual(expected)
      }),
    ))

  test('once fires at the first report of every stretch of truth', () =>
    fc.assert(
      fc.property(reports, (list) => {
        const expected = list.filter((one, index) => one.hot && !list[index - 1]?.hot).map(({ second }) => second)
        expect(firings(makeTrigger({ once: true }), asFacts(list))).toEqual(expected)
      }),
    ))

  test('no two firings are nearer than minInterval, and nothing else is left out', () =>
    fc.assert(
      fc.property(reports, fc.integer({ min: 1, max: 60 }), (list, distance) => {
        const fired = firings(makeTrigger({ minInterval: distance }), asFacts(list))
        const expected: number[] = []
        for (const { second, hot } of list) {
          if (hot && second - (expected.at(-1) ?? Number.NEGATIVE_INFINITY) >= distance) expected.push(second)
        }
        expect(fired).toEqual(expected)
      }),
    ))

  test('repeating fires when the last matches lie within the window, each match used once', () =>
    fc.assert(
      fc.property(reports, fc.integer({ min: 2, max: 5 }), fc.integer({ min: 5, max: 60 }), (list, times, window) => {
        const expected: number[] = []
        let kept: number[] = []
        for (const { second, hot } of list) {
          if (!hot) continue
          kept = [...kept.filter((one) => one >= second - window), second]
          if (kept.length < times) continue
          expected.push(second)
          kept = []
        }
        const trigger = makeTrigger({}, { type: 'repeating', value: times, window })
        expect(firings(trigger, asFacts(list))).toEqual(expected)
      }),
    ))

  test('the window of matches never grows beyond what is needed', () => {
    const trigger = makeTrigger({}, { type: 'repeating', value: 3, window: 86_400 })
    const state = emptyState()
    for (let second = 1; second < 1000; second++) judge(trigger, state, temp(second, 90))
    expect(state.hits).toHaveLength(3)
  })
})
