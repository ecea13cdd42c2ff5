// Lets git run what lies in .githooks. Runs on the machine's own Node, which may be 20.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.mjs'

const folder = '.githooks'

/** Only inside a checkout, and never against what somebody chose. Without git, or when git refuses, nothing happens. */
export function installGitHook(repository = root) {
  if (!existsSync(join(repository, '.git')) || !existsSync(join(repository, folder))) return
  const git = (...args) => spawnSync('git', ['-C', repository, 'config', ...args], { encoding: 'utf8' })
  const chosen = git('core.hooksPath')
  // 1: nothing is set. Everything else is an answer, or no git.
  if (chosen.status !== 1) return
  if (git('core.hooksPath', folder).status !== 0) return
  console.log('From now on git formats and lints the files of a commit (.githooks/pre-commit).')
}
