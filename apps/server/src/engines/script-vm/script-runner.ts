/** Product scripts in QuickJS (WebAssembly) on threads of their own; nothing of ours is reachable from inside. */

import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { kept } from '@ithings/contract/text.ts'
import { type Clock, systemClock } from '#ports/clock.ts'
import type { ScriptOutcome, ScriptRunner } from '#ports/script-runner.ts'
import { makeBoundedMap } from './bounded-map.ts'
import { isKnownHandler } from './handler-names.ts'
import { maxJson, wallMilliseconds } from './limits.ts'
import { failedReply, type Reply } from './thread-messages.ts'
import { WorkerPool } from './worker-pool.ts'

/** A script that keeps timing out is refused for a while, so that it cannot starve the scripts of other products. */
const window = 60_000
const pause = 60_000
const most = 10
const remembered = 1_000

interface Breaker {
  /** Milliseconds until the script may run again; 0: now. */
  waitFor(script: string): number
  timedOut(script: string): void
}

interface Strikes {
  times: number[]
  until: number
}

/** `script` is the hash of its text. */
function makeBreaker(clock: Clock): Breaker {
  const strikes = makeBoundedMap<string, Strikes>(remembered)
  return {
    waitFor(script) {
      const entry = strikes.get(script)
      return entry === undefined ? 0 : Math.max(0, entry.until - clock.now())
    },
    timedOut(script) {
      const now = clock.now()
      const recent = (strikes.get(script)?.times ?? []).filter((time) => time > now - window)
      const times = [...recent, now]
      const full = times.length >= most
      strikes.set(script, { times: full ? [] : times, until: full ? now + pause : 0 })
    },
  }
}

/** What a script answered, as a value of ours. The text comes out of the sandbox: it is data, whatever it says. */

/** JSON.parse makes an own property of "__proto__"; code that copies objects later would take it for the prototype. */
const dropProto = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

const readJson = (json: string): unknown =>
  json.includes('__proto__') || json.includes('\\u') ? JSON.parse(json, dropProto) : JSON.parse(json)

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255

/** device-protocol.md 9: a number array becomes raw bytes, any other value its JSON. */
function readBytes(value: unknown): { bytes: Uint8Array | undefined; fault: string } {
  if (!Array.isArray(value)) return { bytes: undefined, fault: '' }
  const wrong = value.findIndex((item) => !isByte(item))
  if (wrong < 0) return { bytes: Uint8Array.from(value), fault: '' }
  // Sending the JSON text of [1, 300] to a device that waits for bytes helps nobody.
  const meantBytes = value.every((item) => typeof item === 'number')
  return {
    bytes: undefined,
    fault: meantBytes
      ? kept('返回的数组第 {place} 个元素 {found} 不是 0–255 的整数，不能作为字节发送', {
          place: wrong + 1,
          found: String(value[wrong]),
        })
      : '',
  }
}

export interface ScriptRunnerOptions {
  threads?: number
  maxWaiting?: number
  /** No answer for this long: the thread is ended and replaced. */
  wallMilliseconds?: number
  clock?: Clock
}

interface ScriptCounts {
  calls: number
  failures: number
  timeouts: number
  replacedThreads: number
  waiting: number
}

/** Texts whose number and hash are at hand; a script that fell out only costs its hash again. */
const rememberedTexts = 256

export function makeScriptRunner(options: ScriptRunnerOptions = {}): ScriptRunner & { counts(): ScriptCounts } {
  const threads = options.threads ?? Math.min(4, Math.max(2, availableParallelism()))
  const pool = new WorkerPool({
    threads,
    maxWaiting: options.maxWaiting ?? 1_000,
    wallMilliseconds: options.wallMilliseconds ?? wallMilliseconds,
  })
  const breaker = makeBreaker(options.clock ?? systemClock)
  const texts = makeBoundedMap<string, { id: number; hash: string }>(rememberedTexts)
  const counts = { calls: 0, failures: 0, timeouts: 0 }
  let lastID = 0

  function identify(script: string): { id: number; hash: string } {
    const found = texts.get(script)
    if (found) return found
    lastID += 1
    const made = { id: lastID, hash: createHash('sha256').update(script).digest('base64') }
    texts.set(script, made)
    return made
  }

  async function submit(script: string, handler: string, input: string | Uint8Array): Promise<Reply> {
    if (input.length > maxJson) return failedReply(0, 'limit', kept('输入超过 1 MB 的上限'))
    const { id, hash } = identify(script)
    const wait = breaker.waitFor(hash)
    if (wait > 0) {
      const count = Math.ceil(wait / 1000)
      return failedReply(0, 'refused', kept('脚本一分钟内多次超时，已暂停执行，请在 {count} 秒后再试', { count }))
    }
    const reply = await pool.submit({ scriptID: id, script, handler, input })
    if (reply.timedOut) {
      counts.timeouts += 1
      breaker.timedOut(hash)
    }
    return reply
  }

  return {
    async run({ script, handler, input }) {
      counts.calls += 1
      const given = input instanceof Uint8Array ? input : (JSON.stringify(input) ?? 'null')
      // An empty name would list the functions instead.
      const reply =
        handler === '' ? failedReply(0, 'missing', kept('转换函数未找到')) : await submit(script, handler, given)
      const outcome = toOutcome(reply, handler)
      if (!outcome.ok) counts.failures += 1
      return outcome
    },
    async functionsOf(script) {
      const { names, error, line } = await submit(script, '', '')
      return { names: names.filter(isKnownHandler), error, line }
    },
    counts: () => ({ ...counts, replacedThreads: pool.replaced, waiting: pool.waiting }),
    // Threads start with the first call: most servers have no script.
    start: async () => {},
    stop: () => pool.stop(),
  }
}

function toOutcome(reply: Reply, handler: string): ScriptOutcome {
  const { logs, error, line, reason, milliseconds, json } = reply
  const failed: ScriptOutcome = {
    ok: false,
    reason,
    value: undefined,
    bytes: undefined,
    logs,
    error,
    line,
    milliseconds,
  }
  if (json === undefined) return failed
  const value = readJson(json)
  const { bytes, fault } = readBytes(value)
  if (fault !== '' && handler.endsWith('Down')) return { ...failed, reason: 'script', error: fault }
  return { ok: true, reason: '', value, bytes, logs, error: '', line: 0, milliseconds }
}
