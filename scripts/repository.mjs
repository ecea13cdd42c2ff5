// Where things are. Runs on the machine's own Node, which may be 20.
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** @param {string} folder of a repository @param {string} platform */
export const nodeProgramIn = (folder, platform) =>
  join(folder, 'node_modules/node/bin', platform === 'win32' ? 'node.exe' : 'node')

/** The Node that comes with the packages and runs everything but the set-up. */
export const nodeProgram = nodeProgramIn(root, process.platform)
