// Where npm is. Runs on the machine's own Node, which may be 20.
import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** @typedef {{ platform: string, node: string, env: NodeJS.ProcessEnv, exists: (path: string) => boolean }} Place */
/** @typedef {{ program: string, first: string[], shell: boolean }} NpmProgram */

const here = () => ({ platform: process.platform, node: process.execPath, env: process.env, exists: existsSync })

/**
 * The npm that runs us, else the one on the PATH. Undefined when there is none on Windows; elsewhere starting it tells.
 * @param {Place} place
 * @returns {NpmProgram | undefined}
 */
export function npmProgram({ platform, node, env, exists } = here()) {
  const { basename, dirname, join } = platform === 'win32' ? win32 : posix
  const running = env.npm_execpath ?? ''
  if (basename(running) === 'npm-cli.js' && exists(running)) return { program: node, first: [running], shell: false }
  if (platform !== 'win32') return { program: 'npm', first: [], shell: false }
  // Windows starts npm.cmd only through a shell, so npm's own script is better, where it is beside node.exe or npm.cmd.
  const folders = [dirname(node), ...pathOf(env).split(';')].filter(Boolean)
  const script = folders.map((folder) => join(folder, 'node_modules/npm/bin/npm-cli.js')).find(exists)
  if (script) return { program: node, first: [script], shell: false }
  const command = folders.map((folder) => join(folder, 'npm.cmd')).find(exists)
  return command ? { program: 'npm.cmd', first: [], shell: true } : undefined
}

/** Windows calls it Path, and a copy of the environment minds the case. */
const pathOf = (env) => env.PATH ?? env.Path ?? ''
