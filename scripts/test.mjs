// npm run check (the quick part) and npm test (everything); ends with "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.mjs'
import { runVitest, StepFailed, vitestProgram } from './run-vitest.mjs'
import { makeScratchFolder } from './scratch-folder.mjs'
import { endChildrenOnSignal, run, step } from './step.mjs'

/** @typedef {import('./run-vitest.mjs').Count} Count */
/** @typedef {{ name: string, title: string, work: (onFile: () => void) => Promise<Count> }} Step */

const usage = `npm run check                      types, lint, imports, unused code, citations, texts, the lock, unit tests
npm test                           everything
npm run soak                       all tests with new examples and as many things as a large installation has
npm run chaos [-- [--quick] ROW]   a cell of several servers under load whose parts are killed and hung
npm test -- FILE [-t NAME]         one file or folder, one test of it, as vitest takes them
npm test -- --step NAME            one step: `

const scratch = makeScratchFolder()

/** @type {NodeJS.ProcessEnv} */
const env = {
  ...process.env,
  NO_COLOR: '1',
  TMPDIR: scratch,
  // What Node has translated once it need not translate again for the next worker, server and walk.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
}
const { DATABASE_URL: _, ...withoutDatabase } = env

/** Runs a program of ours or of the packages on our own Node; it counts as no test unless it fails. */
async function tool(script, args = [], settings = env) {
  const { code, output } = await run(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: settings,
    minutes: 10,
  })
  if (code !== 0) throw new StepFailed(output.trim(), { passed: 0, failed: 1 })
  return { passed: 0, failed: 0 }
}

/** The root's program has all that runs on Node; the others have settings of their own. One checker: what two would
 * check in less time they would check twice, and the unit tests need the other core. */
async function types() {
  for (const project of ['.', 'apps/console', 'e2e', 'scripts']) {
    await tool('node_modules/typescript/bin/tsc', ['-p', project, '--pretty', 'false', '--checkers', '1'])
  }
  return { passed: 0, failed: 0 }
}

async function smoke() {
  const settings = {
    ...withoutDatabase,
    DATA_DIR: join(scratch, 'smoke'),
    HOST: '127.0.0.1',
    PORT: '0',
    MQTT_PORT: '0',
  }
  await tool('apps/server/src/main.ts', ['--check'], settings)
  return { passed: 1, failed: 0 }
}

/** @param {string} name @param {string[]} projects @param {number} [workers] @returns {Step['work']} */
const tests = (name, projects, workers) => (onFile) =>
  runVitest(projects, { env, reportPath: join(scratch, `${name}.json`), onFile, workers })

/** @type {Step[]} */
const statics = [
  { name: 'types', title: 'Types', work: types },
  {
    name: 'lint',
    title: 'Format and lint',
    work: () => tool('node_modules/@biomejs/biome/bin/biome', ['ci', '--colors=off', '.']),
  },
  { name: 'imports', title: 'Import rules', work: () => tool('scripts/import-rules.mjs') },
  { name: 'unused', title: 'Unused code and packages', work: () => tool('node_modules/knip/bin/knip.js') },
  { name: 'citations', title: 'Citations and links', work: () => tool('scripts/citations.mjs') },
  { name: 'texts', title: 'Texts in both languages', work: () => tool('scripts/texts.mjs') },
  { name: 'lock', title: 'Every platform in the lock', work: () => tool('scripts/lock-check.mjs') },
]
/** @type {Step[]} */
const units = [
  {
    name: 'unit',
    title: 'Unit tests',
    work: tests('unit', ['contract', 'console', 'server-pure', 'simulator', 'cli', 'scripts']),
  },
]
/** @type {Step[]} */
const starts = [{ name: 'smoke', title: 'Server starts without a build', work: smoke }]
/** @type {Step[]} */
const rooms = [
  // A room waits for a database, for devices and for its next turn: others have the cores meanwhile.
  {
    name: 'rooms',
    title: 'Room tests',
    work: tests('rooms', ['server', 'server-by-address', 'embedded-pg', 'chaos'], 6),
  },
]
/** @type {Step[]} */
const walks = [{ name: 'walks', title: 'Browser walks', work: tests('walks', ['e2e'], 4) }]

/** Stages one after another; in a stage rows side by side; in a row steps one after another. @type {Step[][][]} */
const quick = [[statics, units]]
// Rooms and walks side by side were slower than one after the other: two cores are too few for both.
const everything = [[[...statics, ...starts], units], [rooms], [walks]]
const plans = { check: quick, all: everything, soak: [[units], [rooms], [walks]] }
const all = everything.flat(2)

/** @param {Step} one @param {Count} total */
async function take({ title, work }, total) {
  let files = 0
  const count = await step(title, () => work(() => void files++), {
    remark: ({ passed }) => (passed ? `${passed} passed` : 'ok'),
    progress: () => (files > 0 ? `${files} files done` : ''),
  })
  total.passed += count.passed
}

/** What begins together ends together: a failure on one side does not hide one on the other. @param {Step[][][]} stages */
async function runStages(stages) {
  const total = { passed: 0, failed: 0 }
  for (const rows of stages) {
    const ended = await Promise.allSettled(
      rows.map(async (row) => {
        for (const one of row) await take(one, total)
      }),
    )
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const failure of failures) {
      console.log(`\n${failure instanceof StepFailed ? failure.message : (failure.stack ?? failure)}\n`)
      total.passed += failure.count?.passed ?? 0
      total.failed += failure.count?.failed ?? 1
    }
    if (failures.length > 0) break
  }
  return total
}

/** Shown as it is: its table is what it is for. @param {string[]} args */
const vitest = (args) =>
  spawnSync(process.execPath, [vitestProgram, 'run', ...args], { cwd: root, env, stdio: 'inherit' }).status

/** @param {string[]} words of the command line */
async function main([which = '', ...rest]) {
  if (which === 'chaos') {
    const rows = rest.filter((word) => word !== '--quick')
    Object.assign(env, { CHAOS: rows.length < rest.length ? 'quick' : 'full', CHAOS_ROWS: rows.join(' ') })
    return vitest(['bench/src/chaos/chaos.test.ts'])
  }
  const wish = rest[0] === '--step' ? all.filter((one) => one.name === rest[1]) : undefined
  if (!(which in plans) || wish?.length === 0) {
    console.error(`${usage}${all.map((one) => one.name).join(' ')}`)
    return 1
  }
  if (rest.length > 0 && !wish) return vitest(rest)
  const started = Date.now()
  if (which === 'soak') env.SOAK = 'on'
  const total = await runStages(wish ? [[wish]] : plans[which])
  const minutes = ((Date.now() - started) / 60_000).toFixed(1)
  console.log(`\nin ${minutes} minutes:\n${total.passed} passed, ${total.failed} failed`)
  return total.failed > 0 ? 1 : 0
}

const removeScratch = () => rmSync(scratch, { recursive: true, force: true })
endChildrenOnSignal(async () => removeScratch())
try {
  process.exitCode = (await main(process.argv.slice(2))) ?? 1
} finally {
  removeScratch()
}
