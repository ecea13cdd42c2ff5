// Where things are. Runs on the machine's own Node, which may be 20.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** The Node that comes with the packages and runs everything but the set-up. */
export const nodeProgram = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** The workspaces that exist (some are made when first needed). */
export const workspaces = ['packages/contract', 'apps/server', 'apps/console', 'apps/simulator', 'e2e', 'bench'].filter(
  (path) => existsSync(join(root, path, 'src')),
)
