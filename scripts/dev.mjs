// Server and console in watch mode, side by side; Ctrl-C ends both. A debugger finds the server on port 9229.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './repository.mjs'
import { endGroup } from './step.mjs'

const parts = [
  {
    name: 'server ',
    cwd: root,
    args: ['--inspect', '--watch', '--watch-preserve-output', 'apps/server/src/main.ts', ...process.argv.slice(2)],
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

const windows = process.platform === 'win32'
let askedToEnd = 0

/**
 * Kindly: each child gets one signal and passes it on to those it started. Windows knows no kind way.
 * @param {boolean} kindly
 */
function end(kindly = true) {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    if (kindly && !windows) child.kill('SIGTERM')
    else endGroup(child, 'SIGKILL')
  }
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    askedToEnd += 1
    // On Windows Ctrl-C has reached the children by itself: they share our console.
    if (windows && askedToEnd === 1) return
    // The second Ctrl-C is for those who do not want to wait.
    end(askedToEnd === 1)
  })
}
