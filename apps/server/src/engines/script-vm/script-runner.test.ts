import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScriptRunner } from '#ports/script-runner.ts'
import { said } from '#testing/said.ts'
import { makeScriptRunner } from './script-runner.ts'

let runner: ScriptRunner
beforeAll(async () => {
  runner = makeScriptRunner({ wallMilliseconds: 20_000 })
  await runner.start()
})
afterAll(() => runner.stop())

const up = async (script: string, input: Uint8Array = new Uint8Array()) => {
  const outcome = await runner.run({ script, handler: 'thingPropertyUp', input })
  return { ...outcome, error: said(outcome.error), logs: said(outcome.logs) }
}
const down = async (script: string, input: unknown = {}) =>
  said(await runner.run({ script, handler: 'thingPropertyDown', input }))
/** The body of thingPropertyUp. */
const body = (code: string) => `function thingPropertyUp(bytes) {\n${code}\n}`

describe('what a script gets and gives', () => {
  test('bytes come in as a Uint8Array and an object goes out', async () => {
    const script = body(
      'return { isBytes: bytes instanceof Uint8Array, n: bytes.length, sum: bytes[0] * 256 + bytes[1] }',
    )
    const outcome = await up(script, Uint8Array.of(1, 2, 255))
    expect(outcome).toEqual({
      ok: true,
      reason: '',
      value: { isBytes: true, n: 3, sum: 258 },
      bytes: undefined,
      logs: [],
      error: '',
      line: 0,
      milliseconds: expect.any(Number),
    })
  })

  test('a view into a larger buffer hands over only its own bytes', async () => {
    const whole = Uint8Array.of(9, 8, 7, 6)
    expect((await up(body('return { all: Array.from(bytes) }'), whole.subarray(1, 3))).value).toEqual({ all: [8, 7] })
  })

  test.each([
    ['an array of numbers', '[1, 2, json.params.power]'],
    ['a Uint8Array', 'Uint8Array.of(1, 2, json.params.power)'],
    ['an ArrayBuffer', 'Uint8Array.of(1, 2, json.params.power).buffer'],
    ['a DataView', 'new DataView(Uint8Array.of(0, 1, 2, json.params.power).buffer, 1)'],
  ])('JSON comes in and %s goes out as bytes', async (_, expression) => {
    const outcome = await down(`function thingPropertyDown(json) { return ${expression} }`, { params: { power: 77 } })
    expect(outcome).toMatchObject({ ok: true, value: [1, 2, 77], bytes: Uint8Array.of(1, 2, 77) })
  })

  test('a number that is no byte is refused on its way down and named', async () => {
    const outcome = await down('function thingPropertyDown() { return [1, 300] }')
    expect(outcome).toMatchObject({ ok: false, reason: 'script', bytes: undefined })
    expect(outcome.error).toContain('第 2 个元素 300')
  })

  test('other answers of a Down function come back as values', async () => {
    expect(await down('function thingPropertyDown(json) { return { echo: json } }', [1, '二', null])).toMatchObject({
      ok: true,
      value: { echo: [1, '二', null] },
      bytes: undefined,
    })
    expect((await down('function thingPropertyDown() { return "文本" }')).value).toBe('文本')
  })

  test.each([
    'thingPropertyUp',
    'thingEventUp',
    'thingActionUp',
    'gatewayOperationUp',
    'logReportUp',
    'configGetUp',
    'otaProgressUp',
    'extNtpUp',
  ])('%s is called by its name, declared as function, const or property', async (handler) => {
    for (const script of [
      `function ${handler}(b) { return { n: b.length } }`,
      `const ${handler} = (b) => ({ n: b.length })`,
      `globalThis.${handler} = (b) => ({ n: b.length })`,
    ]) {
      expect((await runner.run({ script, handler, input: Uint8Array.of(1) })).value).toEqual({ n: 1 })
    }
  })

  test('a function that does not exist is missing by the text of the platform', async () => {
    const outcome = said(
      await runner.run({ script: body('return {}'), handler: 'thingEventUp', input: new Uint8Array() }),
    )
    expect(outcome).toMatchObject({ ok: false, reason: 'missing', error: '转换函数未找到:thingEventUp' })
  })

  test.each(['', 'constructor', '__proto__', 'toString'])('"%s" names no function', async (handler) => {
    const outcome = said(await runner.run({ script: body('return {}'), handler, input: new Uint8Array() }))
    expect(outcome).toMatchObject({ ok: false, reason: 'missing' })
  })

  test('no result, a function and a symbol are told as such', async () => {
    for (const code of ['', 'return undefined', 'return () => 1', 'return Symbol("x")']) {
      expect(await up(body(code))).toMatchObject({ ok: false, reason: 'script', error: 'thingPropertyUp 没有返回结果' })
    }
    expect(await up(body('return null'))).toMatchObject({ ok: true, value: null })
  })

  test('an input over 1 MB is refused', async () => {
    expect(await up(body('return {}'), new Uint8Array(1024 * 1024 + 1))).toMatchObject({ ok: false, reason: 'limit' })
  })

  test('Math.random differs from call to call and the clock runs', async () => {
    const script = body('return { random: Math.random(), now: Date.now() }')
    const [one, two] = [await up(script), await up(script)].map(({ value }) => value as { random: number; now: number })
    expect(one?.random).not.toBe(two?.random)
    expect(Math.abs(Date.now() - (two?.now ?? 0))).toBeLessThan(60_000)
  })
})

describe('errors', () => {
  test('carry the message and the line of the script', async () => {
    const outcome = await up('var a = 1\n\nfunction thingPropertyUp(bytes) {\n  var x = null\n  return x.temp\n}')
    expect(outcome).toMatchObject({ ok: false, reason: 'script', line: 5 })
    expect(outcome.error).toMatch(/^TypeError: .*temp/)
  })

  test('of the grammar carry the line and run nothing', async () => {
    const outcome = await up('console.log("ran")\nfunction thingPropertyUp(bytes) {\n  return {\n')
    expect(outcome).toMatchObject({ ok: false, reason: 'script', logs: [] })
    expect(outcome.error).toMatch(/^语法错误：/)
    expect(outcome.line).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ['throw "坏帧"', '坏帧'],
    ['throw { code: 7 }', '{"code":7}'],
    ['throw null', 'null'],
    ['throw undefined', 'undefined'],
    ['throw Object.create(null)', '{}'],
    ['throw { toJSON() { throw 1 }, toString() { throw 2 } }', '[无法显示]'],
    [
      'const e = new Error("x"); Object.defineProperty(e, "message", { get() { return "由 getter" } }); throw e',
      '由 getter',
    ],
  ])('thrown by "%s" are shown', async (code, text) => {
    const outcome = await up(body(code))
    expect(outcome).toMatchObject({ ok: false, reason: 'script' })
    expect(outcome.error).toContain(text)
  })

  test('a forged stack cannot name a line that does not exist', async () => {
    const outcome = await up(body('const e = new Error("x"); e.stack = "at f (script.js:99999:1)"; throw e'))
    expect(outcome).toMatchObject({ ok: false, line: 0 })
  })

  test('a thrower with an endless getter stops too', async () => {
    const outcome = await up(body('throw { get name() { for (;;); }, get message() { for (;;); } }'))
    expect(outcome.ok).toBe(false)
    expect(await up(body('return 1'))).toMatchObject({ ok: true, value: 1 })
  })

  test.each([
    ['an async function', 'async function thingPropertyUp() { return {} }'],
    ['a promise that never settles', body('return new Promise(() => {})')],
    ['a thenable', body('return { then() {} }')],
  ])('%s is refused in plain words', async (_, script) => {
    const outcome = await up(script)
    expect(outcome).toMatchObject({ ok: false, reason: 'script' })
    expect(outcome.error).toContain('async')
  })

  test('cycles and big integers in the answer are errors of the script', async () => {
    expect((await up(body('const a = {}; a.a = a; return a'))).error).toMatch(/circular/)
    expect((await up(body('return { n: 1n }'))).error).toMatch(/TypeError/)
  })
})

describe('console', () => {
  test('output of all levels is captured in order', async () => {
    const script = body(
      'console.log("a", 1, { b: [true] }); console.info(bytes); console.warn(undefined); console.error(new Error("坏"), 5n); return 1',
    )
    expect((await up(script, Uint8Array.of(1, 2))).logs).toEqual([
      'a 1 {"b":[true]}',
      '[1, 2]',
      '[warn] undefined',
      '[error] Error: 坏 5n',
    ])
  })

  test('at most 100 lines of at most 500 characters are kept', async () => {
    const { logs } = await up(body('for (let i = 0; i < 1000; i++) console.log(i + "x".repeat(10000)); return 1'))
    expect(logs).toHaveLength(100)
    expect(Math.max(...logs.map((line) => line.length))).toBe(500)
    expect(logs[0]).toMatch(/^0x+…$/)
    expect(logs[99]).toContain('其余省略')
  })

  test('overwritten built-ins do not lift the limit', async () => {
    const script = body('String.prototype.slice = () => "y".repeat(9999); console.log("x".repeat(9999)); return 1')
    expect((await up(script)).logs[0]).toHaveLength(500)
  })

  test('lines written before a failure are kept, and those of the top level come first', async () => {
    const outcome = await up(`console.log("top")\n${body('console.log("in"); throw 1')}`)
    expect(outcome).toMatchObject({ ok: false, logs: ['top', 'in'] })
  })
})

describe('functionsOf', () => {
  test('names the functions of the known form only', async () => {
    const script = `
      function thingPropertyUp() {}
      const gatewayStatusDown = () => 1
      var thingEventUp = 5
      function bytesToHexUp() {}
      function helper() {}
      // thingActionUp is only mentioned`
    expect(said(await runner.functionsOf(script))).toEqual({
      names: ['thingPropertyUp', 'gatewayStatusDown'],
      error: '',
      line: 0,
    })
  })

  test('a script that does not parse defines none and tells the line', async () => {
    expect(said(await runner.functionsOf('function thingPropertyUp() {}\nlet = ;'))).toEqual({
      names: [],
      error: expect.stringMatching(/^语法错误/),
      line: 2,
    })
  })

  test('a script whose top level throws or never ends defines none', async () => {
    expect(await runner.functionsOf('\nnope()\nfunction thingPropertyUp() {}')).toMatchObject({ names: [], line: 2 })
    expect(said(await runner.functionsOf('for (;;);')).error).toContain('50 ms')
  })

  test('an empty script is fine and defines none', async () => {
    expect(said(await runner.functionsOf(''))).toEqual({ names: [], error: '', line: 0 })
  })
})
