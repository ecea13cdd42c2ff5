// Server and console in watch mode, side by side; Ctrl-C ends both.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './repository.mjs'

const parts = [
  {
    name: 'server ',
    cwd: root,
    args: ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts', ...process.argv.slice(2)],
  },
  {
    name: 'console',
    cwd: join(root, 'apps/console'),
    args: [join(root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'],
  },
]

const children = parts.map(({ name, cwd, args }) => {
  // Groups of their own: Ctrl-C reaches only us, so that each gets it once.
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`${name} | ${line}`))
  }
  child.on('exit', () => end())
  return child
})

let askedToEnd = 0
/** @param {NodeJS.Signals} [signal] */
function end(signal = 'SIGTERM') {
  for (const child of children) child.kill(signal)
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    askedToEnd += 1
    // The second Ctrl-C is for those who do not want to wait.
    end(askedToEnd > 1 ? 'SIGKILL' : 'SIGTERM')
  })
}
