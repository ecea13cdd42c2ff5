/** One script in one WebAssembly instance of its own: products share no byte, and calls of one script share none either. */
import { kept } from '@ithings/contract/text.ts'
import {
  newQuickJSWASMModule,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from 'quickjs-emscripten'
import { type CpuMeter, makeCpuMeter } from './cpu-meter.ts'
import { memoryText, type ScriptFault, scriptFile, timeText, toFault } from './guest-error.ts'
import { candidateNames } from './handler-names.ts'
import { heapBytes, maxLogLines, stackBytes } from './limits.ts'
import { Answer, preludeSource, unshownKept } from './prelude.ts'
import { findStack, type Span, takeSnapshot } from './snapshot.ts'
import { failedReply, type Reply } from './thread-messages.ts'

const pageBytes = 65_536
/** What the engine's build asks for at least: static data, 5 MB of stack and the first part of the heap. */
const initialPages = 256
const fixedPages = 86
/**
 * QuickJS counts single allocations against its limit but not their sum in this build, so the memory itself is bounded:
 * beyond it malloc answers null, which the script sees as "out of memory".
 */
const maximumPages = fixedPages + heapBytes / pageBytes
/** To describe an error and to collect the names after the time of the script itself is up. */
const graceMilliseconds = 10

async function newInstance(
  wasm: WebAssembly.Module,
): Promise<{ engine: QuickJSWASMModule; memory: WebAssembly.Memory }> {
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages })
  const variant = newVariant(RELEASE_SYNC, { wasmModule: wasm, wasmMemory: memory })
  return { engine: await newQuickJSWASMModule(variant), memory }
}

interface Guest {
  ctx: QuickJSContext
  invoke: QuickJSHandle
  describe: QuickJSHandle
  define: QuickJSHandle
  names: QuickJSHandle
}

function openGuest(engine: QuickJSWASMModule, isOver: () => boolean, emit: (line: string) => void): Guest {
  const runtime = engine.newRuntime()
  runtime.setMemoryLimit(heapBytes)
  runtime.setMaxStackSize(stackBytes)
  const ctx = runtime.newContext()
  const setUp = ctx.unwrapResult(ctx.evalCode(preludeSource, 'prelude.js'))
  const hear = ctx.newFunction('emit', (line) => {
    if (ctx.typeof(line) === 'string') emit(ctx.getString(line))
  })
  const parts = ctx.unwrapResult(ctx.callFunction(setUp, ctx.undefined, hear))
  const part = (name: string) => ctx.getProp(parts, name)
  // From here on: what a slow machine needs for our own part is not the script's time.
  runtime.setInterruptHandler(isOver)
  return { ctx, invoke: part('invoke'), describe: part('describe'), define: part('define'), names: part('names') }
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const moreText = kept('……输出超过 {count} 行，其余省略', { count: maxLogLines })

/** The same in every instance of one module. */
let stackOfModule: Span | undefined

function answerFault(answer: string, handler: string): Omit<ScriptFault, 'line'> | undefined {
  switch (answer[0]) {
    case Answer.json:
      return undefined
    // Device makers look for these words in the hub log (device-protocol.md 9).
    case Answer.missing:
      return { reason: 'missing', error: kept('转换函数未找到:{handler}', { handler }) }
    case Answer.promise:
      return {
        reason: 'script',
        error: kept('{handler} 返回了 Promise：脚本函数须直接返回结果，不能用 async', { handler }),
      }
    case Answer.tooLong:
      return { reason: 'limit', error: kept('{handler} 的结果超过 1 MB 的上限', { handler }) }
    default:
      return { reason: 'script', error: kept('{handler} 没有返回结果', { handler }) }
  }
}

export class Sandbox {
  readonly #script: string
  readonly #memory: WebAssembly.Memory
  readonly #meter: CpuMeter
  readonly #guest: Guest
  readonly #lines: number
  /** What the script wrote in the call under way. */
  #logs: string[] = []
  #names: string[] = []
  #spent = false
  /** How the loading of the script went; each call that cannot begin answers with it. */
  readonly #load: { fault: ScriptFault | undefined; timedOut: boolean; milliseconds: number; logs: string[] }
  readonly #restore: () => void

  static async open(wasm: WebAssembly.Module, script: string, meter = makeCpuMeter()): Promise<Sandbox> {
    const { engine, memory } = await newInstance(wasm)
    stackOfModule ??= findStack(memory)
    return new Sandbox(engine, { memory, stack: stackOfModule }, script, meter)
  }

  private constructor(
    engine: QuickJSWASMModule,
    { memory, stack }: { memory: WebAssembly.Memory; stack: Span },
    script: string,
    meter: CpuMeter,
  ) {
    this.#script = script
    this.#memory = memory
    this.#meter = meter
    this.#lines = script.split('\n').length
    this.#guest = openGuest(
      engine,
      () => this.#meter.isOver(),
      (line) => this.#emit(line),
    )
    const fault = this.#run(
      () => this.#loadScript(),
      (found) => found,
    )
    const timedOut = fault?.error === timeText
    this.#load = { fault, timedOut, milliseconds: this.#meter.spent(), logs: this.#logs }
    this.#restore = takeSnapshot(memory, stack)
  }

  /** Nothing may be called any more: the engine trapped or its memory grew; open a new one. */
  get spent(): boolean {
    return this.#spent
  }

  call(id: number, handler: string, input: string | Uint8Array): Reply {
    const failed = this.#begin(id)
    if (failed) return failed
    this.#restore()
    const reply = this.#run(
      () => this.#invoke(id, handler, input),
      (fault) => this.#failed(id, fault, false, this.#meter.spent()),
    )
    // Pages that a big call added would stay with this process.
    if (this.#memory.buffer.byteLength > initialPages * pageBytes) this.#spent = true
    return reply
  }

  names(id: number): Reply {
    const failed = this.#begin(id)
    if (failed) return failed
    const { milliseconds } = this.#load
    return { ...failedReply(id, 'script', ''), reason: '', names: this.#names, logs: this.#logs, milliseconds }
  }

  /** @returns the answer if the script could not even be loaded */
  #begin(id: number): Reply | undefined {
    const { fault, timedOut, milliseconds, logs } = this.#load
    this.#logs = [...logs]
    return fault && this.#failed(id, fault, timedOut, milliseconds)
  }

  #emit(line: string): void {
    if (this.#logs.length < maxLogLines) this.#logs.push(unshownKept(line))
    else this.#logs[maxLogLines - 1] = moreText
  }

  /** A failure of the engine below the script: a trap leaves the instance in an unknown state. */
  #run<T>(work: () => T, failed: (fault: ScriptFault) => T): T {
    try {
      return work()
    } catch (error) {
      this.#spent = true
      if (this.#meter.tripped) return failed(toFault('InternalError: interrupted', '', this.#lines, true))
      if (!(error instanceof RangeError)) return failed({ reason: 'limit', error: memoryText, line: 0 })
      return failed(toFault('InternalError: stack overflow', '', this.#lines, false))
    }
  }

  #loadScript(): ScriptFault | undefined {
    const { ctx, define, names } = this.#guest
    this.#meter.start()
    const loaded = ctx.evalCode(this.#script, scriptFile, { type: 'global' })
    if (loaded.error) return this.#faultOf(loaded.error)
    for (const name of candidateNames(this.#script)) {
      // Top-level const and let are no properties of the global object; only code sees them.
      const found = ctx.evalCode(`typeof ${name} === 'function' ? ${name} : undefined`, 'lookup.js')
      if (found.error) return this.#faultOf(found.error)
      ctx.unwrapResult(ctx.callFunction(define, ctx.undefined, ctx.newString(name), found.value))
    }
    const listed: unknown = JSON.parse(ctx.getString(ctx.unwrapResult(ctx.callFunction(names, ctx.undefined))))
    this.#names = isNames(listed) ? listed : []
    return undefined
  }

  #invoke(id: number, handler: string, input: string | Uint8Array): Reply {
    const { ctx, invoke } = this.#guest
    const isBytes = typeof input !== 'string'
    this.#meter.start()
    // No handle is disposed: the whole memory is put back before the next call.
    const result = ctx.callFunction(
      invoke,
      ctx.undefined,
      ctx.newString(handler),
      isBytes ? ctx.true : ctx.false,
      isBytes ? ctx.newArrayBuffer(input.slice().buffer) : ctx.newString(input),
      ctx.newNumber(Math.floor(Math.random() * 2 ** 31)),
    )
    const milliseconds = this.#meter.spent()
    if (result.error) {
      const timedOut = this.#meter.tripped
      return this.#failed(id, this.#faultOf(result.error), timedOut, milliseconds)
    }
    const answer = ctx.getString(result.value)
    const fault = answerFault(answer, handler)
    if (fault) return this.#failed(id, { ...fault, line: 0 }, false, milliseconds)
    return { ...failedReply(id, 'script', ''), reason: '', json: answer.slice(1), logs: this.#logs, milliseconds }
  }

  #faultOf(error: QuickJSHandle): ScriptFault {
    const { ctx, describe } = this.#guest
    const timedOut = this.#meter.tripped
    this.#meter.start(graceMilliseconds)
    const described = ctx.callFunction(describe, ctx.undefined, error)
    // Thrown by the engine itself when there was no memory even for an error object.
    if (described.error) return toFault('InternalError: out of memory', '', this.#lines, timedOut)
    const [message, trace] = JSON.parse(ctx.getString(described.value)) as [string, string]
    return toFault(unshownKept(message), trace, this.#lines, timedOut)
  }

  #failed(id: number, fault: ScriptFault, timedOut: boolean, milliseconds: number): Reply {
    const { reason, error, line } = fault
    return { ...failedReply(id, reason, error), line, timedOut, logs: this.#logs, milliseconds }
  }
}
