/** The threads under the runner: bounds, replacement, breaker, stop. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { said } from '#testing/said.ts'
import { makeScriptRunner, type ScriptRunnerOptions } from './script-runner.ts'

let threads: Array<Promise<number>>
let workers: Worker[]
const remember = (message: unknown) => {
  const { worker } = message as { worker: Worker }
  workers.push(worker)
  threads.push(new Promise((resolve) => worker.once('exit', resolve)))
}
const runners: Array<{ stop(): Promise<void> }> = []
const open = (options: ScriptRunnerOptions = {}) => {
  const runner = makeScriptRunner({ wallMilliseconds: 20_000, ...options })
  runners.push(runner)
  const run: typeof runner.run = async (call) => said(await runner.run(call))
  return { ...runner, run }
}
beforeEach(() => {
  workers = []
  threads = []
  subscribe('worker_threads', remember)
})
afterEach(async () => {
  unsubscribe('worker_threads', remember)
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
})

const script = 'function thingPropertyUp(bytes) { return { n: bytes[0] } }'
const endless = 'function thingPropertyUp() { for (;;); }'
/** Never asks for the time: only the wall clock ends it. */
const stuck = 'function thingPropertyUp() { return new Array(4e9).join("x").length }'
const handler = 'thingPropertyUp'
const call = (text: string, byte = 1) => ({ script: text, handler, input: Uint8Array.of(byte) })

test('no thread runs before the first call', async () => {
  const runner = open()
  await runner.start()
  expect(workers).toHaveLength(0)
  await runner.run(call(script))
  expect(workers).toHaveLength(1)
})

test('many calls of many scripts at once each get their own answer', async () => {
  const runner = open({ threads: 2 })
  const outcomes = await Promise.all(
    Array.from({ length: 160 }, (_, i) => runner.run(call(`${script} // ${i % 16}`, i % 256))),
  )
  expect(outcomes.map(({ value }) => value)).toEqual(Array.from({ length: 160 }, (_, i) => ({ n: i % 256 })))
  expect(workers).toHaveLength(2)
  expect(runner.counts()).toMatchObject({ calls: 160, failures: 0, waiting: 0 })
})

test('more calls than may wait are refused as busy, the others are served', async () => {
  const runner = open({ threads: 1, maxWaiting: 5 })
  const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => runner.run(call(script, i))))
  const refused = outcomes.filter(({ ok }) => !ok)
  // Four are handed to the thread, five wait.
  expect(refused).toHaveLength(11)
  expect(refused[0]).toMatchObject({ reason: 'busy', error: '等待执行的脚本已达 5 个，请稍后再试' })
  expect(outcomes.filter(({ ok }) => ok).map(({ value }) => value)).toEqual(
    Array.from({ length: 9 }, (_, i) => ({ n: i })),
  )
})

test('a thread that hangs is replaced and only its first call fails', async () => {
  const runner = open({ threads: 1, wallMilliseconds: 5_000 })
  const hanging = runner.run(call(stuck))
  const behind = [runner.run(call(script, 2)), runner.run(call(script, 3))]
  expect(await hanging).toMatchObject({ ok: false, reason: 'limit', error: '脚本 5000 ms 内没有结束，已强制停止' })
  expect((await Promise.all(behind)).map(({ value }) => value)).toEqual([{ n: 2 }, { n: 3 }])
  expect(runner.counts()).toMatchObject({ replacedThreads: 1, timeouts: 1 })
  await threads[0]
})

test('a thread that dies in the middle of a call fails that call and is replaced', async () => {
  const runner = open({ threads: 1 })
  await runner.run(call(script))
  const dying = runner.run(call(stuck))
  const behind = runner.run(call(script, 5))
  await workers[0]?.terminate()
  expect(await dying).toMatchObject({ ok: false, reason: 'busy', error: '脚本引擎意外中止，请重试' })
  expect((await behind).value).toEqual({ n: 5 })
  expect(workers).toHaveLength(2)
})

test('ten time-outs in a minute stop a script for 60 seconds, and only that one', async () => {
  let now = 1_000_000
  const runner = open({ threads: 1, clock: { now: () => now } })
  for (let i = 0; i < 10; i++) {
    expect(await runner.run(call(endless))).toMatchObject({ reason: 'limit' })
    now += 1_000
  }
  expect(await runner.run(call(endless))).toMatchObject({
    ok: false,
    reason: 'refused',
    error: '脚本一分钟内多次超时，已暂停执行，请在 59 秒后再试',
  })
  expect((await runner.run(call(script))).ok).toBe(true)
  now += 59_000
  expect(await runner.run(call(endless))).toMatchObject({ reason: 'limit' })
})

test('time-outs that are a minute apart do not stop a script', async () => {
  let now = 1_000_000
  const runner = open({ threads: 1, clock: { now: () => now } })
  for (let i = 0; i < 12; i++) {
    expect(await runner.run(call(endless))).toMatchObject({ reason: 'limit' })
    now += 6_700
  }
})

test('stop ends every thread, and the calls under way are told', async () => {
  const runner = open({ threads: 2 })
  await runner.run(call(script))
  const calls = [runner.run(call(stuck)), ...Array.from({ length: 20 }, () => runner.run(call(script)))]
  await runner.stop()
  const outcomes = await Promise.all(calls)
  expect(outcomes[0]).toMatchObject({ ok: false, reason: 'busy', error: '脚本引擎已停止' })
  await Promise.all(threads)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker')).toEqual([])
  expect(await runner.run(call(script))).toMatchObject({ ok: false, reason: 'busy' })
  await runner.stop()
})
