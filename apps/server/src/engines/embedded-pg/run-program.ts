import { type SpawnOptions, spawn } from 'node:child_process'
import { parse } from 'node:path'
import { phrase } from '@ithings/contract/text.ts'
import { TerminalError } from '#terminal.ts'
import { type Account, spawnIdentity } from './account.ts'
import { reasonOf } from './system.ts'

/** PostgreSQL must not see the caller's PGPORT, PGDATA, locale and so on. Node adds what Windows cannot do without. */
const childEnvironment = { LC_ALL: 'C', TZ: 'UTC' }

const keptOutput = 4000

/** As its user, in a folder that anybody may enter, unlike perhaps the one we are in, and without a window. */
export const programOptions = (program: string, account: Account | undefined): SpawnOptions => ({
  ...spawnIdentity(account),
  cwd: parse(program).root,
  env: childEnvironment,
  windowsHide: true,
})

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
      else
        reject(
          new TerminalError(
            phrase('{program} 失败（{code}）：{why}', {
              program,
              code: String(code),
              why: reasonOf(code) ?? output.trim(),
            }),
          ),
        )
    })
  })
}
