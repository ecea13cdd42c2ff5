/** A script thread: keeps a bounded number of sandboxes warm and runs one task after the other. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { kept } from '@ithings/contract/text.ts'
import { Sandbox } from './sandbox.ts'
import { failedReply, type Reply, ready, type Task } from './thread-messages.ts'

if (!parentPort) throw new Error('worker.ts runs as a worker thread only')
const port = parentPort

// Compiled once a thread; every sandbox is a new instance of it.
const engineRequire = createRequire(import.meta.resolve('quickjs-emscripten'))
const wasm = new WebAssembly.Module(readFileSync(engineRequire.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))

interface Held {
  script: string
  sandbox: Sandbox | undefined
}
const held = new Map<number, Held>()

async function run(task: Task): Promise<Reply> {
  if (task.drop !== undefined) held.delete(task.drop)
  if (task.script !== undefined) held.set(task.scriptID, { script: task.script, sandbox: undefined })
  const entry = held.get(task.scriptID)
  if (!entry) return failedReply(task.id, 'busy', kept('脚本引擎没有收到脚本，请重试'))
  entry.sandbox ??= await Sandbox.open(wasm, entry.script)
  const { sandbox } = entry
  const reply = task.handler === '' ? sandbox.names(task.id) : sandbox.call(task.id, task.handler, task.input)
  if (sandbox.spent) entry.sandbox = undefined
  return reply
}

let last: Promise<void> = Promise.resolve()
port.on('message', (task: Task) => {
  last = last.then(async () => port.postMessage(await run(task)))
})
port.postMessage(ready)
