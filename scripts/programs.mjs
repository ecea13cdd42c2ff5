// Programs of the machine that the tests need. Runs on the machine's own Node, which may be 20.
import { accessSync, constants, existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** @typedef {{ platform: string, env: NodeJS.ProcessEnv }} Place */

/** @returns {Place} */
export const thisPlace = () => ({ platform: process.platform, env: process.env })

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param {Place} place @param {string} name */
export function onPath({ platform, env }, name) {
  const { delimiter, join } = platform === 'win32' ? win32 : posix
  return (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
}

/** Made of Debian packages: Debian itself, Ubuntu and others. */
export const isDebian = () => existsSync('/etc/debian_version') && onPath(thisPlace(), 'apt-get').some(isProgram)

export const isRoot = () => process.getuid?.() === 0
