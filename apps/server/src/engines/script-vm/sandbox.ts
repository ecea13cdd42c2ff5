/** One script in one WebAssembly instance of its own: products share no byte, and calls of one script share none either. */
import {
  newQuickJSWASMModule,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
  RELEASE_SYNC,
} from 'quickjs-emscripten'
import { makeCpuMeter } from './cpu-meter.ts'
import { memoryText, type ScriptFault, scriptFile, toFault } from './guest-error.ts'
import { candidateNames } from './handler-names.ts'
import { heapBytes, maxLogLines, stackBytes } from './limits.ts'
import { Answer, preludeSource } from './prelude.ts'
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

export interface Sandbox {
  call(id: number, handler: string, input: string | Uint8Array): Reply
  names(id: number): Reply
  /** Nothing may be called any more: the engine trapped or its memory grew; open a new one. */
  readonly spent: boolean
}

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
  runtime.setInterruptHandler(isOver)
  const ctx = runtime.newContext()
  const setUp = ctx.unwrapResult(ctx.evalCode(preludeSource, 'prelude.js'))
  const hear = ctx.newFunction('emit', (line) => {
    if (ctx.typeof(line) === 'string') emit(ctx.getString(line))
  })
  const parts = ctx.unwrapResult(ctx.callFunction(setUp, ctx.undefined, hear))
  const part = (name: string) => ctx.getProp(parts, name)
  return { ctx, invoke: part('invoke'), describe: part('describe'), define: part('define'), names: part('names') }
}

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** The same in every instance of one module. */
let stackOfModule: Span | undefined

export async function openSandbox(wasm: WebAssembly.Module, script: string): Promise<Sandbox> {
  const { engine, memory } = await newInstance(wasm)
  stackOfModule ??= findStack(memory)
  const stack = stackOfModule
  const meter = makeCpuMeter()
  const lines = script.split('\n').length
  let logs: string[] = []
  const emit = (line: string) => {
    if (logs.length < maxLogLines) logs.push(line)
    else logs[maxLogLines - 1] = `……输出超过 ${maxLogLines} 行，其余省略`
  }
  const guest = openGuest(engine, () => meter.isOver(), emit)
  const { ctx } = guest

  function faultOf(error: QuickJSHandle): ScriptFault {
    const timedOut = meter.tripped
    meter.start(graceMilliseconds)
    const described = ctx.callFunction(guest.describe, ctx.undefined, error)
    // Thrown by the engine itself when there was no memory even for an error object.
    if (described.error) return toFault('InternalError: out of memory', '', lines, timedOut)
    const [message, trace] = JSON.parse(ctx.getString(described.value)) as [string, string]
    return toFault(message, trace, lines, timedOut)
  }

  /** A failure of the engine below the script: a trap leaves the instance in an unknown state. */
  function run<T>(work: () => T, failed: (fault: ScriptFault) => T): T {
    try {
      return work()
    } catch (error) {
      spent = true
      const stackFull = error instanceof RangeError
      return failed(
        stackFull
          ? toFault('InternalError: stack overflow', '', lines, false)
          : { reason: 'limit', error: memoryText, line: 0 },
      )
    }
  }

  let spent = false
  let names: string[] = []
  const load = (): ScriptFault | undefined => {
    meter.start()
    const loaded = ctx.evalCode(script, scriptFile, { type: 'global' })
    if (loaded.error) return faultOf(loaded.error)
    for (const name of candidateNames(script)) {
      // Top-level const and let are no properties of the global object; only code sees them.
      const found = ctx.evalCode(`typeof ${name} === 'function' ? ${name} : undefined`, 'lookup.js')
      if (found.error) return faultOf(found.error)
      ctx.unwrapResult(ctx.callFunction(guest.define, ctx.undefined, ctx.newString(name), found.value))
    }
    const listed: unknown = JSON.parse(ctx.getString(ctx.unwrapResult(ctx.callFunction(guest.names, ctx.undefined))))
    names = isNames(listed) ? listed : []
    return undefined
  }
  const loadFault = run(load, (fault) => fault)
  const loadMilliseconds = meter.spent()
  const loadTimedOut = loadFault !== undefined && meter.tripped
  const loadLogs = logs
  const restore = takeSnapshot(memory, stack)

  const replyTo = (id: number, fault: ScriptFault, timedOut: boolean, milliseconds: number): Reply => ({
    ...failedReply(id, fault.reason, fault.error),
    line: fault.line,
    timedOut,
    logs,
    milliseconds,
  })

  function invoke(id: number, handler: string, input: string | Uint8Array): Reply {
    const isBytes = typeof input !== 'string'
    meter.start()
    // No handle is disposed: the whole memory is put back before the next call.
    const result = ctx.callFunction(
      guest.invoke,
      ctx.undefined,
      ctx.newString(handler),
      isBytes ? ctx.true : ctx.false,
      isBytes ? ctx.newArrayBuffer(input.slice().buffer) : ctx.newString(input),
      ctx.newNumber(Math.floor(Math.random() * 2 ** 31)),
    )
    const milliseconds = meter.spent()
    if (result.error) {
      const timedOut = meter.tripped
      return replyTo(id, faultOf(result.error), timedOut, milliseconds)
    }
    const answer = ctx.getString(result.value)
    const fault = answerFault(answer, handler)
    if (fault) return replyTo(id, { ...fault, line: 0 }, false, milliseconds)
    return { ...failedReply(id, 'script', ''), reason: '', json: answer.slice(1), logs, milliseconds }
  }

  return {
    call(id, handler, input) {
      logs = [...loadLogs]
      if (loadFault) return replyTo(id, loadFault, loadTimedOut, loadMilliseconds)
      restore()
      const reply = run(
        () => invoke(id, handler, input),
        (fault) => replyTo(id, fault, false, meter.spent()),
      )
      // Pages that a big call added would stay with this process.
      if (memory.buffer.byteLength > initialPages * pageBytes) spent = true
      return reply
    },
    names(id) {
      logs = [...loadLogs]
      if (loadFault) return replyTo(id, loadFault, loadTimedOut, loadMilliseconds)
      return { ...failedReply(id, 'script', ''), reason: '', names, logs, milliseconds: loadMilliseconds }
    },
    get spent() {
      return spent
    },
  }
}

function answerFault(answer: string, handler: string): Omit<ScriptFault, 'line'> | undefined {
  switch (answer[0]) {
    case Answer.json:
      return undefined
    // Device makers look for these words in the hub log (device-protocol.md 9).
    case Answer.missing:
      return { reason: 'missing', error: `转换函数未找到:${handler}` }
    case Answer.promise:
      return { reason: 'script', error: `${handler} 返回了 Promise：脚本函数须直接返回结果，不能用 async` }
    case Answer.tooLong:
      return { reason: 'limit', error: `${handler} 的结果超过 1 MB 的上限` }
    default:
      return { reason: 'script', error: `${handler} 没有返回结果` }
  }
}
