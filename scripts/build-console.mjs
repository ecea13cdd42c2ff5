// Builds the console when anything it is made of changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isLoadFailure, loadRefusal } from './load-check.mjs'
import { thisMachine } from './platform.mjs'
import { nodeProgram, root } from './repository.mjs'
import { Refusal, run, step, usefulLines } from './step.mjs'
import { say } from './words.mjs'

const consoleDir = join(root, 'apps/console')
const stampPath = join(consoleDir, 'dist/.build-stamp')
const guides = ['api', 'configuration', 'deployment', 'device-guide', 'operator-guide']
const skipped = new Set(['dist', 'node_modules', 'testing'])

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) yield* filesBelow(path)
    } else if (!/\.test\.tsx?$/.test(entry.name)) yield path
  }
}

/** A hash over names and contents of all that goes into the build. */
export function sourceHash(base = root) {
  const hash = createHash('sha256')
  const sources = [
    ...filesBelow(join(base, 'apps/console')),
    ...filesBelow(join(base, 'packages/contract/src')),
    // Bundled as the console's help, in both languages.
    ...['docs', 'docs/en'].flatMap((folder) => guides.map((name) => join(base, folder, `${name}.md`))),
    join(base, 'package-lock.json'),
  ].filter((path) => existsSync(path))
  for (const path of sources)
    hash
      .update(`${relative(base, path).split(sep).join('/')}\0`)
      .update(readFileSync(path))
      .update('\0')
  return hash.digest('hex')
}

/**
 * The few lines of a failed build that say why: a part that cannot be loaded, or the place in the sources.
 * @param {string} output @param {import('./platform.mjs').Machine} machine
 */
export function buildRefusal(output, machine) {
  if (isLoadFailure(output)) return loadRefusal('the bundler (vite, rolldown)', output, machine)
  return say('{output}\n\nThe console could not be built.', { output: usefulLines(output, 20) })
}

export async function buildConsole() {
  const wanted = sourceHash()
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return
  await step('Building the console', async () => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const env = { ...process.env, NODE_ENV: 'production' }
    const { code, output } = await run(nodeProgram, [vite, 'build', '--logLevel', 'warn'], { cwd: consoleDir, env })
    if (code !== 0) throw new Refusal(buildRefusal(output, thisMachine()))
  })
  writeFileSync(stampPath, wanted)
}
