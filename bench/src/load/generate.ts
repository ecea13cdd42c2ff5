/** Runs the load generator as a process of its own and waits for what it found. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../platform.ts'
import type { LoadOrders, LoadResult } from './mqtt-load.ts'

export type { LoadResult }

export async function generate(orders: LoadOrders): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/mqtt-load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(orders))
  const said = await text(child.stdout)
  if (said === '') throw new Error('the load generator failed')
  return JSON.parse(said) as LoadResult
}
