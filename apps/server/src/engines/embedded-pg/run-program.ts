import { type SpawnOptions, spawn } from 'node:child_process'

/** PostgreSQL must not see the caller's PGPORT, PGDATA, locale and so on. */
export const childEnvironment = { LC_ALL: 'C', TZ: 'UTC' }

const keptOutput = 4000

/** Runs a program to its end; the error carries the last of its output. */
export function runProgram(program: string, args: string[], options: SpawnOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + chunk).slice(-keptOutput)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} failed (${code}): ${output.trim()}`))
    })
  })
}
