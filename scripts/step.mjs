// One line of output for each step, with the time it took. What a step prints is shown only when it fails.
import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { sayOf } from './words.mjs'

const keptOutput = 200_000

/** A failure whose message is for the person at the keyboard: shown without a stack trace. */
export class Refusal extends Error {}

/** How often a long step says that it goes on. */
const reminderMs = 60_000
const secondsSince = (started) => `${Math.round((Date.now() - started) / 1000)} s`

/**
 * Says what begins and what it came to, a line each, so that steps may run side by side.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @param {{ remark?: (result: T) => string, progress?: () => string }} [say] added to the last line; how far it is
 * @returns {Promise<T>}
 */
export async function step(title, work, { remark, progress } = {}) {
  const started = Date.now()
  const say = (text, time = '', more = '') => process.stdout.write(`${sayOf(title, text, { time })}${more}\n`)
  say('{title} ...')
  const reminder = setInterval(() => {
    const far = progress?.()
    say('{title} ... still running after {time}', secondsSince(started), far ? `, ${far}` : '')
  }, reminderMs)
  try {
    const result = await work()
    say('{title}: {time}', secondsSince(started), remark ? `, ${remark(result)}` : '')
    return result
  } catch (error) {
    say('{title}: failed after {time}', secondsSince(started))
    throw error
  } finally {
    clearInterval(reminder)
  }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/**
 * Runs a program and keeps the end of what it says.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, minutes?: number, shell?: boolean, onText?: (text: string) => void
 * }} [options] shell: for the .cmd files of Windows; neither program nor arguments may hold spaces then
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, { cwd, env = process.env, minutes = 30, shell = false, onText } = {}) {
  return new Promise((resolve, reject) => {
    // A group of its own on Unix, so that a step that hangs ends with all its children.
    const [command, rest] = shell ? [[program, ...args].join(' '), []] : [program, args]
    const child = spawn(command, rest, {
      cwd,
      env,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    running.add(child)
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-keptOutput)
      onText?.(String(chunk))
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const limit = setTimeout(() => {
      keep(`\nstopped: not done after ${minutes} minutes\n`)
      endGroup(child, 'SIGKILL')
    }, minutes * 60_000)
    child.on('error', (error) => {
      clearTimeout(limit)
      running.delete(child)
      reject(error)
    })
    child.on('close', (code) => {
      clearTimeout(limit)
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}

/**
 * Ends a process and all its children: by its group, which Windows does not have.
 * @param {{ pid?: number }} child made with detached on Unix
 * @param {NodeJS.Signals} signal Windows always ends at once
 * @param {{ platform: string, kill: (pid: number, signal: NodeJS.Signals) => unknown,
 *   runSync: (program: string, args: string[], options: import('node:child_process').SpawnSyncOptions) => unknown
 * }} [system]
 */
export function endGroup(
  { pid },
  signal,
  system = { platform: process.platform, kill: process.kill, runSync: spawnSync },
) {
  // It never started.
  if (pid === undefined) return
  if (system.platform === 'win32') {
    system.runSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', timeout: 10_000 })
    return
  }
  try {
    system.kill(-pid, signal)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

/** Ctrl-C reaches only us (the steps have groups of their own): pass it on, then end. */
export function endChildrenOnSignal(cleanUp = async () => {}) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, async () => {
      for (const child of running) endGroup(child, signal)
      await cleanUp()
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  }
}

export const tail = (text, lines) => text.trimEnd().split('\n').slice(-lines).join('\n')

/**
 * What a failed program said, without its stack trace and at most so many lines: the first say what is wrong.
 * @param {string} text @param {number} lines
 */
export function usefulLines(text, lines) {
  const said = stripVTControlCharacters(text).split(/\r?\n/)
  const useful = said.filter(
    (line) => line.trim() !== '' && !/^\s+at |^\s*- \/|^\s*Require stack:|^Node\.js v/.test(line),
  )
  // What an error object looks like when it is printed begins at the brace behind its trace.
  const end = useful.findIndex((line) => /^\s*(\w+: \[Getter\/Setter\],?|cause: |})/.test(line))
  return (end > 0 ? useful.slice(0, end) : useful).slice(0, lines).join('\n')
}
