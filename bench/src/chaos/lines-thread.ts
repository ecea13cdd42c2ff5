/** A thread with the lines of lines.ts: what passes them does not wait for those who send and count messages. */
import { parentPort } from 'node:worker_threads'
import { openSilentLine, type SilentLine } from '../../../apps/server/src/testing/silent-line.ts'

export interface Wish {
  name: string
  act: 'hold' | 'goOn' | { openTo: number }
}
/** The answer to who opens one. */
export interface Opened {
  port: number
}

const lines = new Map<string, SilentLine[]>()

parentPort?.on('message', async ({ name, act }: Wish) => {
  const known = lines.get(name) ?? []
  lines.set(name, known)
  if (typeof act === 'string') {
    for (const line of known) line[act]()
    return
  }
  const line = await openSilentLine(act.openTo)
  known.push(line)
  parentPort?.postMessage({ port: line.port } satisfies Opened)
})
