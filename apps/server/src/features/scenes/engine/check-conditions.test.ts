import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { checkConditions, conditionsHold } from './check-conditions.ts'
import type { CompiledCondition, ConditionSource } from './engine-types.ts'
import { makeScene } from './testing/pump-scene.ts'

const leaf = (text: string, fields: object = {}) => {
  const [deviceName, property, termType, values] = text.split(' ')
  return {
    columnType: 'property',
    columnSchema: { productID: 'pump', deviceName, dataID: property?.split('.'), termType, values },
    netCondition: 'and',
    ...fields,
  }
}
const triggers = [{ operationSchema: { dataID: ['temp'] } }]
const compile = (conditions: unknown[]) => makeScene({ triggers, conditions })
const ask = (known: Record<string, unknown>, at = Date.now()) => ({
  at,
  value: ({ deviceName, property }: ConditionSource) => known[`${deviceName}/${property}`],
})
const check = (conditions: unknown[], known: Record<string, unknown>, at?: number) =>
  said(checkConditions(compile(conditions).conditions, ask(known, at)))

describe('leaves', () => {
  test('each is shown with the value seen', () => {
    const list = [leaf('P02 temp gt 80', { netCondition: 'or' }), leaf('P03 mode eq 2'), leaf('P02 pos.x lt 5')]
    const known = { 'P02/temp': 75.5, 'P03/mode': 2, 'P02/pos': { x: 3 } }
    expect(check(list, known)).toEqual({
      ok: true,
      reason: '',
      list: [
        { text: 'P02 的 温度 > 80 ℃', value: '75.5 ℃', ok: false, level: 0 },
        { text: '或 P03 的 模式 = 手动', value: '手动', ok: true, level: 0 },
        { text: '且 P02 的 位置·横 < 5', value: '3', ok: true, level: 0 },
      ],
    })
  })

  test('never reported is false, and says so', () => {
    const verdict = check([leaf('P02 temp not 80')], {})
    expect(verdict.ok).toBe(false)
    expect(verdict.reason).toBe('条件不满足：P02 的 温度 ≠ 80 ℃（尚无上报）')
  })

  test('a value of a type that the model had before never matches', () => {
    expect(check([leaf('P02 temp not 80')], { 'P02/temp': 'hot' }).ok).toBe(false)
  })

  test('the reason names the first that failed', () => {
    const list = [leaf('P02 temp gt 1'), leaf('P02 on eq true'), leaf('P02 count gt 5')]
    const { reason } = check(list, { 'P02/temp': 5, 'P02/on': false, 'P02/count': 1 })
    expect(reason).toBe('条件不满足：P02 的 开关 = 开（实际 关）')
  })

  test('time is read from the moment that is asked for', () => {
    const office = { columnType: 'sysTime', columnTime: { type: 'range', start: '09:00', end: '18:00' } }
    expect(check([office], {}, new Date(2026, 10, 16, 9, 0, 5).getTime())).toEqual({
      ok: true,
      reason: '',
      list: [{ text: '09:00–18:00', value: '周一 09:00:05', ok: true, level: 0 }],
    })
    expect(check([office], {}, new Date(2026, 10, 16, 18, 0).getTime()).ok).toBe(false)
  })

  test('no conditions at all hold', () => {
    expect(check([], {})).toEqual({ ok: true, list: [], reason: '' })
  })
})

describe('every item counts, and nothing is decided before its end (rules.md 3)', () => {
  const known = { 'P02/temp': 90, 'P02/count': 1 }
  const yes = (fields?: object) => leaf('P02 temp gt 80', fields)
  const no = (fields?: object) => leaf('P02 count gt 5', fields)

  test('a true first item does not decide over what follows by "and"', () => {
    expect(check([yes(), no()], known).ok).toBe(false)
  })

  test('a leaf that misses without childrenCondition is false', () => {
    expect(check([no()], known).ok).toBe(false)
  })

  test('a false item does not end everything: an "or" may follow', () => {
    expect(check([no({ netCondition: 'or' }), yes()], known).ok).toBe(true)
    expect(check([yes(), no({ netCondition: 'or' }), yes()], known).ok).toBe(true)
  })

  test('left to right, without precedence', () => {
    // (true or true) and false
    expect(check([yes({ netCondition: 'or' }), yes(), no()], known).ok).toBe(false)
    // (false and true) or true
    expect(check([no(), yes({ netCondition: 'or' }), yes()], known).ok).toBe(true)
  })

  test('the relation of the last item means nothing', () => {
    expect(check([no({ netCondition: 'or' })], known).ok).toBe(false)
  })

  test('an event condition is never true and says so', () => {
    const verdict = check([{ columnType: 'event' }], known)
    expect(verdict).toMatchObject({ ok: false, reason: '条件不满足：事件不能作为条件' })
  })

  test('terms are joined to their item by childrenCondition, by "and" when it is not said', () => {
    expect(check([yes({ terms: [no()] })], known).ok).toBe(false)
    expect(check([yes({ terms: [no()], childrenCondition: 'or' })], known).ok).toBe(true)
    expect(check([no({ terms: [yes()], childrenCondition: 'or' })], known).ok).toBe(true)
    expect(check([no({ terms: [yes()], childrenCondition: 'and' })], known).ok).toBe(false)
  })

  test('levels and relations of groups are shown', () => {
    const list = [
      yes(),
      { columnType: 'group', netCondition: 'and', terms: [no({ netCondition: 'or' }), yes({ terms: [yes()] })] },
    ]
    const verdict = check(list, known)
    expect(verdict.ok).toBe(true)
    expect(verdict.list.map(({ text, level, value, ok }) => `${level} ${text} [${value}] ${ok}`)).toEqual([
      '0 P02 的 温度 > 80 ℃ [90 ℃] true',
      '0 且 任一满足 [1 / 2] true',
      '1 P02 的 次数 > 5 [1] false',
      '1 或 P02 的 温度 > 80 ℃ [90 ℃] true',
      '2 且 P02 的 温度 > 80 ℃ [90 ℃] true',
    ])
  })

  test('a group in a group counts as one member of it', () => {
    const inner = { columnType: 'group', netCondition: 'and', terms: [yes(), no()] }
    const verdict = check([{ columnType: 'group', terms: [inner, yes({ netCondition: 'or' }), no()] }], known)
    expect(verdict.list.map(({ text, level, value, ok }) => `${level} ${text} [${value}] ${ok}`)).toEqual([
      '0 条件组 [1 / 3] false',
      '1 全部满足 [1 / 2] false',
      '2 P02 的 温度 > 80 ℃ [90 ℃] true',
      '2 且 P02 的 次数 > 5 [1] false',
      '1 且 P02 的 温度 > 80 ℃ [90 ℃] true',
      '1 或 P02 的 次数 > 5 [1] false',
    ])
  })

  test('the reason is what decided, not a miss that an "or" makes up for', () => {
    const any = { columnType: 'group', netCondition: 'and', terms: [no({ netCondition: 'or' }), yes()] }
    const verdict = check([any, leaf('P02 mode eq 2')], { ...known, 'P02/mode': 1 })
    expect(verdict).toMatchObject({ ok: false, reason: '条件不满足：P02 的 模式 = 手动（实际 自动）' })
    expect(check([no({ netCondition: 'or' }), no()], known).reason).toBe('条件不满足：P02 的 次数 > 5（实际 1）')
  })
})

describe('law', () => {
  interface Tree {
    kind: 'leaf' | 'group'
    truth: boolean
    net: 'and' | 'or'
    join: 'and' | 'or'
    terms: Tree[]
  }
  const joint = fc.constantFrom<'and' | 'or'>('and', 'or')
  const { list } = fc.letrec<{ list: Tree[]; node: Tree }>((tie) => ({
    list: fc.array(tie('node'), { maxLength: 4 }),
    node: fc.record({
      kind: fc.constantFrom<'leaf' | 'group'>('leaf', 'group'),
      truth: fc.boolean(),
      net: joint,
      join: joint,
      terms: fc.oneof({ maxDepth: 3 }, fc.constant<Tree[]>([]), tie('list')),
    }),
  }))
  const both = (how: 'and' | 'or', a: boolean, b: boolean) => (how === 'and' ? a && b : a || b)

  /** The sentence of rules.md 3, spelled out from the right end. */
  function expected(nodes: Tree[]): boolean {
    const last = nodes.at(-1)
    if (!last) return true
    const inner = expected(last.terms)
    const own =
      last.kind === 'group' ? inner : last.terms.length === 0 ? last.truth : both(last.join, last.truth, inner)
    const before = nodes.slice(0, -1)
    const relation = before.at(-1)?.net
    return relation ? both(relation, expected(before), own) : own
  }

  const compiled = (nodes: Tree[]): CompiledCondition[] =>
    nodes.map(({ kind, truth, net, join, terms }) => ({
      ...(kind === 'group'
        ? { kind: 'group' as const, text: '' }
        : { kind: 'time' as const, test: () => truth, text: '' }),
      net,
      children: terms.length > 0 ? { join, terms: compiled(terms) } : undefined,
    }))

  test('any nesting folds left to right, and both ways of asking agree', () =>
    fc.assert(
      fc.property(list, (nodes) => {
        const conditions = compiled(nodes)
        const wanted = expected(nodes)
        expect(conditionsHold(conditions, ask({}))).toBe(wanted)
        const { ok, reason } = checkConditions(conditions, ask({}))
        expect(ok).toBe(wanted)
        expect(reason === '').toBe(wanted)
      }),
      { numRuns: 1000 },
    ))
})
