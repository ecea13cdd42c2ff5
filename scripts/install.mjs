// npm install, only when something changed, and quietly; then the proof that what was installed runs here.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proveParts } from './load-check.mjs'
import { npmProgram } from './npm-program.mjs'
import { adviceFor, machineText, thisMachine } from './platform.mjs'
import { nodeProgram, root } from './repository.mjs'
import { Refusal, run, step, tail, usefulLines } from './step.mjs'
import { say } from './words.mjs'

const lockPath = join(root, 'package-lock.json')
const stampPath = join(root, 'node_modules/.ithings-setup')

const workspacePaths = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces

/** Changes with the lock, the package files and the machine (a copied node_modules of another system is of no use). */
function wantedStamp() {
  const hash = createHash('sha256')
  const packages = workspacePaths().map((path) => `${path}/package.json`)
  for (const path of ['package-lock.json', 'package.json', ...packages]) hash.update(readFileSync(join(root, path)))
  return `${hash.digest('hex')} ${machineOfStamp()}`
}

const machineOfStamp = () => {
  const { name, libc } = thisMachine()
  return libc === 'musl' ? `${name}-musl` : name
}

/** First what is installed, then one line for each group of parts that was proven to run. */
function readStamp() {
  const [installed = '', ...proven] = existsSync(stampPath) ? readFileSync(stampPath, 'utf8').trim().split('\n') : []
  return { installed, proven }
}

const writeStamp = (installed, proven) => writeFileSync(stampPath, `${[installed, ...proven].join('\n')}\n`)

export async function installPackages() {
  const stamp = readStamp()
  const wanted = wantedStamp()
  if (existsSync(nodeProgram) && stamp.installed === wanted) return
  const elsewhere = stamp.installed !== '' && stamp.installed.split(' ')[1] !== machineOfStamp()
  // Without a stamp it may still be the folder of another machine, copied before its installation was done.
  const unclear = !elsewhere && existsSync(join(root, 'node_modules')) && thisMachine().libc !== 'musl'
  await step('Installing packages', async () => {
    // npm keeps what has the right version, such as the Node of another system.
    if (elsewhere) removePackages()
    await npmInstall()
    if (unclear && (await nodeFault())) {
      removePackages()
      await npmInstall()
    }
  })
  const fault = await nodeFault()
  if (fault) {
    const machine = thisMachine()
    const values = { machine: machineText(machine), fault, advice: adviceFor(machine) }
    throw new Refusal(
      say('On {machine} the Node that comes with the packages does not run: {fault}.\n{advice}', values),
    )
  }
  writeStamp(wantedStamp(), [])
}

/**
 * Tries the native parts once after each installation.
 * @param {...import('./load-check.mjs').Group} groups
 */
export const provesParts = (...groups) =>
  async function prove() {
    const { installed, proven } = readStamp()
    // Whoever brings a database needs none of ours, which some machines cannot run; the tests start ours all the same.
    const needed = groups.filter(
      (group) => group !== 'database' || groups.includes('tools') || !process.env.DATABASE_URL,
    )
    const open = needed.filter((group) => !proven.includes(group))
    if (open.length === 0) return
    await step('Trying the packages', () => proveParts(open, thisMachine()))
    writeStamp(installed, [...proven, ...open])
  }

/** Why our own Node does not run, or undefined. */
async function nodeFault() {
  const { code, output } = await run(nodeProgram, ['--version']).catch((error) => ({ code: 1, output: error.message }))
  if (code === 0 && /^v(2[6-9]|[3-9]\d)\./.test(output)) return undefined
  return usefulLines(output, 1) || say('it exited at once without any output')
}

function removePackages() {
  for (const folder of ['.', ...workspacePaths()]) {
    try {
      rmSync(join(root, folder, 'node_modules'), { recursive: true, force: true, maxRetries: 3 })
    } catch (error) {
      throw new Refusal(
        say(
          'The packages are those of another machine and cannot be removed ({why}).\nRemove the folder node_modules and run the same command again.',
          { why: /** @type {Error} */ (error).message },
        ),
      )
    }
  }
}

async function npmInstall() {
  const lock = readFileSync(lockPath)
  const args = ['install', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const notFound = say('npm was not found. Install Node 20 or newer together with npm.')
  const npm = npmProgram()
  if (!npm) throw new Refusal(notFound)
  const options = { cwd: root, env: { ...process.env, SCARF_ANALYTICS: 'false' }, shell: npm.shell }
  const { code, output } = await run(npm.program, [...npm.first, ...args], options).catch((error) => {
    throw new Refusal(error.code === 'ENOENT' ? notFound : error.message)
  })
  // Other npm versions arrange the file a little differently; what is installed is the same.
  if (!readFileSync(lockPath).equals(lock)) writeFileSync(lockPath, lock)
  if (code !== 0) {
    throw new Refusal(
      say(
        '{output}\n\nnpm could not install the packages. Is the network reachable? Then run the same command again.',
        { output: tail(output, 25) },
      ),
    )
  }
}
