/** Runs the load generator as a process of its own and waits for what it found. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../platform.ts'
import type { LoadLine, LoadOrders, LoadResult } from './mqtt-load.ts'

export type { LoadResult }

/** Told when the measured part begins and when it is over, for whoever measures something beside it. */
export type OnPhase = (phase: 'begun' | 'over', generatorPid: number) => void

export async function generate(orders: LoadOrders, onPhase?: OnPhase): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/mqtt-load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(orders))
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as LoadLine
    if ('result' in line) return line.result
    onPhase?.(line.phase, child.pid ?? 0)
  }
  throw new Error('the load generator failed')
}
