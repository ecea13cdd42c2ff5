// Formats and lints the files of a commit, before git makes it. Runs on the machine's own Node, which may be 20.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './repository.mjs'

/** Of arguments to one program: Windows takes 32,000 characters at most. */
const filesAtOnce = 200

const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
const quiet = ['--no-errors-on-unmatched', '--files-ignore-unknown=true']

/** @param {string} repository @param {string[]} args @returns {string[]} names of files */
function changedFiles(repository, args) {
  const { stdout, status, stderr } = spawnSync('git', ['diff', '--name-only', '--diff-filter=ACMR', '-z', ...args], {
    cwd: repository,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\0').filter(Boolean)
}

/**
 * A file of which only some changes are committed is looked at as it lies there and not written to: the rest of its
 * changes would go along.
 * @param {string} repository
 * @param {(args: string[]) => number} runBiome gives its exit code
 * @returns {number} the exit code
 */
export function preCommit(repository, runBiome) {
  const staged = changedFiles(repository, ['--cached'])
  const halfStaged = new Set(changedFiles(repository, []))
  const whole = staged.filter((file) => !halfStaged.has(file))
  const partly = staged.filter((file) => halfStaged.has(file))
  let code = 0
  for (let at = 0; at < whole.length; at += filesAtOnce) {
    const files = whole.slice(at, at + filesAtOnce)
    code ||= runBiome(['check', '--write', ...quiet, ...files])
    const { status } = spawnSync('git', ['add', '--', ...files], { cwd: repository, stdio: 'inherit' })
    code ||= status ?? 1
  }
  for (let at = 0; at < partly.length; at += filesAtOnce)
    code ||= runBiome(['check', ...quiet, ...partly.slice(at, at + filesAtOnce)])
  return code
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (existsSync(biome)) {
    const run = (args) => spawnSync(process.execPath, [biome, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
    process.exitCode = preCommit(root, run)
    if (process.exitCode) console.error('\nNot committed. Mend the above, or go past it with git commit --no-verify.')
  } else console.error('The files are not formatted and linted: the packages are not installed (npm run check).')
}
