/** The program as people start it: a process of its own, with a configuration folder of its own. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOwnKey } from '@ithings/contract/features/api-keys.ts'
import { onTestFinished } from 'vitest'
import type { World } from '../../../server/src/testing/world.ts'

const main = join(import.meta.dirname, '../main.ts')

export interface Run {
  code: number | null
  out: string
  err: string
}

/** A folder that goes with the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ithings-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export function start(words: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...words], { env: { PATH: process.env.PATH, LANG: 'C', ...env } })
  const run: Run = { code: null, out: '', err: '' }
  child.stdout.on('data', (part) => {
    run.out += part
  })
  child.stderr.on('data', (part) => {
    run.err += part
  })
  const ended = new Promise<Run>((resolve) =>
    child.once('close', (code) => {
      run.code = code
      resolve(run)
    }),
  )
  return { child, run, ended }
}

export function ithings(env: Record<string, string>, words: readonly string[], input = ''): Promise<Run> {
  const { child, ended } = start(words, env)
  child.stdin.end(input)
  return ended
}

/** A server that listens, and a key of its administrator. */
export async function listen(world: World, fields: object = {}) {
  if (!world.app.http.server.listening) await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(world.app.http.server.address() as AddressInfo).port}`
  const { key } = await world.asAdmin(createOwnKey, { name: `cli ${Math.random()}`, ...fields })
  return { url, key, env: { ITHINGS_URL: url, ITHINGS_KEY: key } }
}
