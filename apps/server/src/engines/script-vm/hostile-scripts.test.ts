/** Scripts that attack: they fail in plain words, harm nothing, and the next call works. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptRunner } from '#ports/script-runner.ts'
import { said } from '#testing/said.ts'
import { makeScriptRunner } from './script-runner.ts'

let runner: ScriptRunner
beforeAll(() => {
  // A crowded machine shall not end a thread before the limits that are tested here do.
  runner = makeScriptRunner({ threads: 1, wallMilliseconds: 20_000 })
})
afterAll(() => runner.stop())

const up = async (script: string, input: Uint8Array = new Uint8Array()) => {
  const outcome = await runner.run({ script, handler: 'thingPropertyUp', input })
  return { ...outcome, error: said(outcome.error), logs: said(outcome.logs) }
}
const body = (code: string) => `function thingPropertyUp(bytes) {\n${code}\n}`

afterEach(async () => {
  expect(await up(body('return { well: bytes[0] }'), Uint8Array.of(7))).toMatchObject({ ok: true, value: { well: 7 } })
})

describe('time', () => {
  test.each([
    ['an endless loop', 'for (;;);'],
    ['a loop that catches everything', 'for (;;) { try { for (;;); } catch (e) {} finally { continue } }'],
    ['an endless generator', 'for (const x of (function* () { for (;;) yield 1 })());'],
    ['a pattern that never ends', 'return /(a+)+$/.test("a".repeat(60) + "b")'],
    ['an endless getter in the answer', 'return { get a() { for (;;); } }'],
    ['an endless toJSON', 'return { toJSON() { for (;;); } }'],
    ['an endless proxy', 'return new Proxy({}, { ownKeys() { for (;;); } })'],
    ['an endless Symbol.toPrimitive', 'return 1 + { [Symbol.toPrimitive]() { for (;;); } }'],
    ['an endless then', 'return { get then() { for (;;); } }'],
  ])('%s stops at 50 ms of CPU', async (_, code) => {
    const outcome = await up(body(code))
    expect(outcome).toMatchObject({ ok: false, reason: 'limit', error: '执行超过 50 ms 的时限，已停止' })
    expect(outcome.milliseconds).toBeGreaterThanOrEqual(50)
    expect(outcome.milliseconds).toBeLessThan(5_000)
  })

  test('a time-out keeps the console and knows the function', async () => {
    const outcome = await up(
      '\n\nfunction thingPropertyUp() {\n  console.log("before")\n  for (;;) helper()\n}\nfunction helper() {}',
    )
    expect(outcome.logs).toEqual(['before'])
    expect(outcome.line).toBeGreaterThanOrEqual(3)
  })
})

describe('memory', () => {
  test.each([
    ['buffers', 'const all = []; for (;;) all.push(new Uint8Array(1_000_000))'],
    ['one huge buffer', 'return new Uint8Array(1e9).length'],
    ['one huge text', 'return "a".repeat(1e9).length'],
    ['arrays', 'const all = []; for (;;) all.push(new Array(100_000).fill(1))'],
    ['texts', 'const all = []; for (let i = 0; ; i++) all.push(String(i).repeat(100_000))'],
  ])('%s end at 16 MB', async (_, code) => {
    expect(await up(body(code))).toMatchObject({ ok: false, reason: 'limit', error: '内存超过 16 MB 的上限' })
  })

  test('a bomb that is caught over and over ends with its thread at the latest', async () => {
    // The engine counts steps until it asks for the time; a few huge steps take longer than that.
    const guarded = makeScriptRunner({ threads: 1, wallMilliseconds: 2_000 })
    const bomb = body('for (;;) { try { const a = []; for (;;) a.push("x".repeat(1e6) + a.length) } catch (e) {} }')
    try {
      const outcome = await guarded.run({ script: bomb, handler: 'thingPropertyUp', input: new Uint8Array() })
      expect(outcome).toMatchObject({ ok: false, reason: 'limit' })
    } finally {
      await guarded.stop()
    }
  })

  test('a script may use most of its 16 MB', async () => {
    expect(await up(body('return { n: new Uint8Array(12_000_000).fill(1).length }'))).toMatchObject({ ok: true })
  })

  test('the memory of this process does not grow with bombs', async () => {
    const bomb = body('const all = []; for (;;) all.push(new Uint8Array(1_000_000))')
    await up(bomb)
    const before = process.memoryUsage().rss
    for (let i = 0; i < 20; i++) await up(bomb)
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
  })

  test('an answer over 1 MB is refused, one below comes back', async () => {
    expect(await up(body('return "x".repeat(1024 * 1024)'))).toMatchObject({
      ok: false,
      reason: 'limit',
      error: 'thingPropertyUp 的结果超过 1 MB 的上限',
    })
    expect((await up(body('return "x".repeat(1_000_000)'))).value).toHaveLength(1_000_000)
  })
})

describe('depth', () => {
  test.each([
    ['a function that calls itself', 'return thingPropertyUp()'],
    ['map inside map', 'return [1].map(function f() { return [1].map(f) })'],
    ['sort inside sort', 'return [2, 1].sort(function f() { return [2, 1].sort(f).length })'],
    ['toString inside toString', 'const a = { toString() { return a + "" } }; return a + ""'],
    ['constructors', 'class A { constructor() { new A() } } return new A()'],
    ['getters of proxies', 'const f = () => new Proxy({}, { get: f }).x; return f()'],
    ['a deep JSON text', 'return JSON.parse("[".repeat(500000))'],
    ['a deep eval', 'return eval("(".repeat(100000))'],
  ])('%s ends at the limit of the stack', async (_, code) => {
    expect(await up(body(code))).toMatchObject({ ok: false, error: expect.stringContaining('栈超过 512 KB') })
  })

  test('a script of 100,000 brackets does not parse and harms nothing', async () => {
    expect((await up('['.repeat(100_000))).ok).toBe(false)
  })

  test('a deep answer is refused or can be written again', async () => {
    const outcome = await up(body('let a = []; for (let i = 0; i < 3000; i++) a = [a]; return a'))
    if (outcome.ok) expect(JSON.stringify(outcome.value)).toHaveLength(6002)
    else expect(outcome.reason).toBe('limit')
  })
})

describe('isolation', () => {
  test.each([
    'process',
    'require',
    'fetch',
    'setTimeout',
    'setInterval',
    'Buffer',
    'WebAssembly',
    'Worker',
    'std',
    'os',
    'module',
    'XMLHttpRequest',
  ])('there is no %s', async (name) => {
    expect((await up(body(`return typeof ${name}`))).value).toBe('undefined')
  })

  test.each([
    'this.constructor.constructor("return typeof process")()',
    'console.log.constructor("return typeof process")()',
    'bytes.constructor.constructor("return typeof process")()',
    '(async () => {}).constructor("return typeof process") && Function("return typeof process")()',
    '[].constructor.constructor("return typeof globalThis.process")()',
    'new Error().constructor.constructor("return typeof process")()',
  ])('%s reaches the guest only', async (expression) => {
    expect((await up(body(`return ${expression}`))).value).toBe('undefined')
  })

  test('modules of the host cannot be imported', async () => {
    expect(await up('import fs from "node:fs"')).toMatchObject({ ok: false, reason: 'script' })
    expect(await up(body('let got = "none"; import("node:fs").then(() => { got = "fs" }); return got'))).toMatchObject({
      value: 'none',
    })
  })

  test('"__proto__" in an answer does not become the prototype of anything', async () => {
    const outcome = await up(body('return JSON.parse(\'{"__proto__":{"admin":true},"a":{"__proto__":{"b":1}}}\')'))
    expect(outcome.ok).toBe(true)
    expect(Object.keys(outcome.value as object)).toEqual(['a'])
    expect(Object.assign({}, outcome.value)).not.toHaveProperty('admin')
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('what a call pollutes is gone in the next call of the same script', async () => {
    const script = `let calls = 0
      const table = new Uint8Array(500_000)
      function thingPropertyUp() {
        calls++
        const seen = { calls, table: table[499_999], proto: ({}).polluted, json: JSON.stringify({}), own: globalThis.leak }
        table.fill(9)
        Object.prototype.polluted = 'yes'
        globalThis.leak = new Uint8Array(300_000).fill(255)
        JSON.stringify = () => 'stolen'
        Array.prototype.push = Uint8Array.prototype.fill = Function.prototype.call = () => { throw new Error('stolen') }
        return seen
      }`
    for (let i = 0; i < 20; i++) {
      expect(await up(script)).toMatchObject({ ok: true, value: { calls: 1, table: 0, json: '{}' } })
      expect((await up(script)).value).not.toHaveProperty('proto')
    }
  })

  test('new memory is always zero', async () => {
    const script = body(`const fresh = new Uint8Array(200_000)
      const dirty = fresh.some((byte) => byte !== 0)
      fresh.fill(255)
      return { dirty }`)
    for (let i = 0; i < 10; i++) expect((await up(script)).value).toEqual({ dirty: false })
  })

  test('what one product pollutes another never sees', async () => {
    await up(body('Object.prototype.polluted = 1; Math.max = () => 0; globalThis.leak = 1; return 1'))
    const other = body(
      'return { keys: Object.keys(globalThis).length, p: typeof ({}).polluted, l: typeof leak, m: Math.max(1, 2) }',
    )
    expect((await up(other)).value).toMatchObject({ p: 'undefined', l: 'undefined', m: 2 })
  })

  test('a script cannot replace its handler for the next call', async () => {
    const script =
      'function thingPropertyUp() { thingPropertyUp = globalThis.thingPropertyUp = () => "replaced"; return "own" }'
    expect([(await up(script)).value, (await up(script)).value]).toEqual(['own', 'own'])
  })

  test('the answer of a hostile proxy is only text', async () => {
    const outcome = await up(
      body(
        'return new Proxy([1, 2], { get: (t, k) => (k === "length" ? 3 : k === "toJSON" ? undefined : k === "then" ? undefined : 9) })',
      ),
    )
    expect(outcome).toMatchObject({ ok: true, value: [9, 9, 9] })
  })

  test('arguments after the call are not ours', async () => {
    const input = { list: [1] }
    await runner.run({
      script: 'function thingPropertyDown(j) { j.list.push(2); return j }',
      handler: 'thingPropertyDown',
      input,
    })
    expect(input).toEqual({ list: [1] })
  })
})
