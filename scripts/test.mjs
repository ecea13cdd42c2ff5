// npm run check (the fast part) and npm test (everything), one step after another; ends with "N passed, N failed".
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../apps/server/src/engines/embedded-pg/start-embedded-postgres.ts'
import { findChromium } from './chromium.mjs'
import { root, workspaces } from './repository.mjs'
import { secondTries, secondTryReport } from './second-try.mjs'
import { endChildrenOnSignal, run, step } from './step.mjs'

/** @typedef {{ passed: number, failed: number, remark?: string }} Count */
/** @typedef {{ name: string, title: string, fast: boolean, work: () => Promise<Count> }} Step */

class StepFailed extends Error {
  /** @param {string} output @param {Count} count */
  constructor(output, count) {
    super(output)
    this.output = output
    this.count = count
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'ithings-test-'))
// PostgreSQL may run as another user.
chmodSync(scratch, 0o711)

const { DATABASE_URL: usersDatabase, ...environment } = process.env
/** @type {NodeJS.ProcessEnv} */
const baseEnv = {
  ...environment,
  ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
}

/** Runs a program of the packages on our own Node; it counts as no test unless it fails. */
async function tool(script, args, env = baseEnv) {
  const { code, output } = await run(process.execPath, [script, ...args], { cwd: root, env, minutes: 5 })
  if (code !== 0) throw new StepFailed(output, { passed: 0, failed: 1 })
  return { passed: 0, failed: 0 }
}

const packageProgram = (path) => join(root, 'node_modules', path)

async function types() {
  for (const workspace of [...workspaces, 'scripts']) {
    await tool(packageProgram('typescript/bin/tsc'), [
      '-p',
      workspace,
      '--pretty',
      process.stdout.isTTY ? 'true' : 'false',
    ])
  }
  return { passed: 0, failed: 0 }
}

let runs = 0

/** @param {string[]} projects @param {{ env?: NodeJS.ProcessEnv, files?: string[], minutes?: number }} [options] */
async function runVitest(projects, { env = baseEnv, files = [], minutes = 45 } = {}) {
  runs += 1
  const path = join(scratch, `run-${runs}.json`)
  const args = [
    'run',
    ...files,
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
  ]
  const { code, output } = await run(process.execPath, [packageProgram('vitest/vitest.mjs'), ...args], {
    cwd: root,
    env,
    minutes,
  })
  const report = readReport(path)
  const count = { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 }
  return { code, output, report, count, clean: code === 0 && count.failed === 0 && count.passed > 0 }
}

/** @param {Awaited<ReturnType<typeof runVitest>>} run */
function failureOf({ output, count }) {
  const nothing = count.passed + count.failed === 0 ? '\nno test was run\n' : ''
  return new StepFailed(output + nothing, { ...count, failed: Math.max(1, count.failed) })
}

/** @param {string[]} projects */
async function vitest(projects, env = baseEnv) {
  const done = await runVitest(projects, { env })
  if (!done.clean) throw failureOf(done)
  return done.count
}

/** @returns {import('./second-try.mjs').Report | undefined} */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // It ended before it could write one.
    return undefined
  }
}

/** @type {(() => Promise<void>) | undefined} */
let stopDatabase

/** The room tests on a database given by address: the user's, else a second cluster on loopback TCP. */
async function roomsOnDatabaseUrl() {
  if (usersDatabase) return vitest(['server'], { ...baseEnv, DATABASE_URL: usersDatabase })
  const log = { info() {}, warn() {} }
  // Nothing here outlives the run, so there is no need to wait for the disk.
  const settings = { fsync: 'off' }
  const database = await startEmbeddedPostgres({ dataDir: join(scratch, 'database'), tcp: true, settings, log })
  stopDatabase = database.stop
  try {
    return await vitest(['server'], { ...baseEnv, DATABASE_URL: database.connectionString })
  } finally {
    await database.stop()
  }
}

async function smoke() {
  const env = { ...baseEnv, DATA_DIR: join(scratch, 'smoke'), HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0' }
  await tool('apps/server/src/main.ts', ['--check'], env)
  return { passed: 1, failed: 0 }
}

/** For all second tries together: the whole run has its end. */
const secondTryMinutes = 20

/**
 * A walk builds on what it did before, so a single test cannot be tried again: the whole file is, once, on a fresh
 * platform. Whoever needed that is named.
 */
async function walks() {
  const chromium = findChromium()
  const env = { ...baseEnv, ...(chromium && { CHROMIUM_PATH: chromium }) }
  const first = await runVitest(['e2e'], { env })
  const again = secondTries(first)
  if (!again || (again.length === 0 && !first.clean)) throw failureOf(first)
  const inAgain = (file) => again.some((one) => one.file === file)
  const steady = (first.report?.testResults ?? []).filter(({ name }) => !inAgain(name))
  let passed = steady.flatMap((one) => one.assertionResults).filter(({ status }) => status === 'passed').length
  const until = Date.now() + secondTryMinutes * 60_000
  for (const one of again) {
    const minutes = Math.max(1, (until - Date.now()) / 60_000)
    const second = await runVitest(['e2e'], { env, files: [one.file], minutes })
    if (!second.clean) {
      const { output, count } = failureOf(second)
      throw new StepFailed(`${secondTryReport(again)}\n\nand failed again:\n${output}`, {
        passed: passed + count.passed,
        failed: count.failed,
      })
    }
    passed += second.count.passed
  }
  return { passed, failed: 0, remark: secondTryReport(again) }
}

/** @type {Step[]} */
const steps = [
  { name: 'types', title: 'Types', fast: true, work: types },
  {
    name: 'lint',
    title: 'Format and lint',
    fast: true,
    work: () =>
      tool(packageProgram('@biomejs/biome/bin/biome'), ['ci', '--colors', process.stdout.isTTY ? 'force' : 'off', '.']),
  },
  { name: 'imports', title: 'Import rules', fast: true, work: () => tool('scripts/import-rules.mjs', []) },
  {
    name: 'unused',
    title: 'Unused code and packages',
    fast: true,
    work: () => tool(packageProgram('knip/bin/knip.js'), []),
  },
  {
    name: 'unit',
    title: 'Unit tests',
    fast: true,
    work: () => vitest(['contract', 'console', 'server-pure', 'simulator', 'scripts']),
  },
  { name: 'postgres', title: 'Embedded PostgreSQL', fast: false, work: () => vitest(['embedded-pg']) },
  { name: 'rooms', title: 'Room tests, embedded PostgreSQL', fast: false, work: () => vitest(['server']) },
  { name: 'rooms-url', title: 'Room tests, DATABASE_URL', fast: false, work: roomsOnDatabaseUrl },
  { name: 'smoke', title: 'Server starts without a build', fast: false, work: smoke },
  { name: 'walks', title: 'Browser walks', fast: false, work: walks },
]

/** @param {string | undefined} which @param {string | undefined} name */
function chosen(which, name) {
  if (which === 'all') return steps
  if (which === 'check') return steps.filter((one) => one.fast)
  return which === 'step' ? steps.filter((one) => one.name === name) : []
}

async function main() {
  const [which, name] = process.argv.slice(2)
  const plan = chosen(which, name)
  if (plan.length === 0) {
    console.error(`usage: node scripts/test.mjs check|all|step NAME\nsteps: ${steps.map((one) => one.name).join(' ')}`)
    process.exitCode = 1
    return
  }
  const total = { passed: 0, failed: 0 }
  const add = ({ passed, failed }) => {
    total.passed += passed
    total.failed += failed
  }
  const remarks = []
  try {
    for (const { title, work } of plan) {
      const count = await step(title, work, ({ passed }) => (passed ? `${passed} passed` : 'ok'))
      add(count)
      if (count.remark) remarks.push(count.remark)
    }
  } catch (error) {
    if (error instanceof StepFailed) add(error.count)
    else total.failed += 1
    console.log(`\n${error instanceof StepFailed ? error.message.trim() : error}\n`)
    process.exitCode = 1
  }
  for (const remark of remarks) console.log(`\n${remark}\n`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
}

const removeScratch = () => rmSync(scratch, { recursive: true, force: true })
endChildrenOnSignal(async () => {
  await stopDatabase?.()
  removeScratch()
})
try {
  await main()
} finally {
  removeScratch()
}
