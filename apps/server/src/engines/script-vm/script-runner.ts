/** Product scripts in QuickJS (WebAssembly) on threads of their own; nothing of ours is reachable from inside. */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Clock, systemClock } from '#ports/clock.ts'
import type { ScriptOutcome, ScriptRunner } from '#ports/script-runner.ts'
import { makeBoundedMap } from './bounded-map.ts'
import { makeBreaker } from './breaker.ts'
import { isKnownHandler } from './handler-names.ts'
import { maxJson, wallMilliseconds } from './limits.ts'
import { readBytes, readJson } from './read-answer.ts'
import { failedReply, type Reply } from './thread-messages.ts'
import { makeWorkerPool } from './worker-pool.ts'

export interface ScriptRunnerOptions {
  threads?: number
  maxWaiting?: number
  /** No answer for this long: the thread is ended and replaced. */
  wallMilliseconds?: number
  clock?: Clock
}

export interface ScriptCounts {
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
  const pool = makeWorkerPool({
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
    if (input.length > maxJson) return failedReply(0, 'limit', '输入超过 1 MB 的上限')
    const { id, hash } = identify(script)
    const wait = breaker.waitFor(hash)
    if (wait > 0) {
      return failedReply(0, 'refused', `脚本一分钟内多次超时，已暂停执行，请在 ${Math.ceil(wait / 1000)} 秒后再试`)
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
      const reply = handler === '' ? failedReply(0, 'missing', '转换函数未找到') : await submit(script, handler, given)
      const outcome = toOutcome(reply, handler)
      if (!outcome.ok) counts.failures += 1
      return outcome
    },
    async functionsOf(script) {
      const { names, error, line } = await submit(script, '', '')
      return { names: names.filter(isKnownHandler), error, line }
    },
    counts: () => ({ ...counts, replacedThreads: pool.replaced(), waiting: pool.waiting() }),
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
