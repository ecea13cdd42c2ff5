// npm install, only when something changed, and quietly.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { nodeProgram, root } from './repository.mjs'
import { Refusal, run, step, tail } from './step.mjs'

const lockPath = join(root, 'package-lock.json')
const stampPath = join(root, 'node_modules/.ithings-setup')

/** Changes with the lock, the package files and the machine (a copied node_modules of another system is of no use). */
function wantedStamp() {
  const hash = createHash('sha256')
  const packages = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces.map(
    (path) => `${path}/package.json`,
  )
  for (const path of ['package-lock.json', 'package.json', ...packages]) hash.update(readFileSync(join(root, path)))
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`
}

const isInstalled = () =>
  existsSync(nodeProgram) && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wantedStamp()

export async function installPackages() {
  if (isInstalled()) return
  await step('Installing packages', npmInstall)
  const { code, output } = await run(nodeProgram, ['--version']).catch((error) => ({ code: 1, output: error.message }))
  if (code !== 0 || !/^v(2[6-9]|[3-9]\d)\./.test(output)) {
    throw new Refusal(`The Node that comes with the packages does not run on this machine (${tail(output, 3)}).`)
  }
  writeFileSync(stampPath, wantedStamp())
}

async function npmInstall() {
  const lock = readFileSync(lockPath)
  const args = ['install', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const { program, first } = npmProgram()
  const env = { ...process.env, SCARF_ANALYTICS: 'false' }
  const { code, output } = await run(program, [...first, ...args], { cwd: root, env }).catch((error) => {
    throw new Refusal(
      error.code === 'ENOENT' ? 'npm was not found. Install Node 20 or newer together with npm.' : error.message,
    )
  })
  // Other npm versions arrange the file a little differently; what is installed is the same.
  if (!readFileSync(lockPath).equals(lock)) writeFileSync(lockPath, lock)
  if (code !== 0) {
    throw new Refusal(
      `${tail(output, 25)}\n\nnpm could not install the packages. Is the network reachable? Then run the same command again.`,
    )
  }
}

/** The npm that runs us, else the one on the PATH. */
function npmProgram() {
  const running = process.env.npm_execpath ?? ''
  if (basename(running) === 'npm-cli.js' && existsSync(running)) return { program: process.execPath, first: [running] }
  return { program: process.platform === 'win32' ? 'npm.cmd' : 'npm', first: [] }
}
