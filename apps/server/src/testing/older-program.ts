/** The program as it was before the newest migration, from the history of this checkout, on the packages of today. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listMigrations } from '#db/migrate.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const ours = '@ithings'

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()

/** The last commit without the newest migration. */
async function findCommit(): Promise<string | undefined> {
  const known = (await listMigrations()).map(({ file }) => `apps/server/migrations/${file}`)
  const newest = known.at(-1) ?? ''
  const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', newest)
  const before = added
    ? git('rev-list', '--first-parent', '--max-count=1', '--skip=1', added)
    : git('rev-parse', 'HEAD')
  // While a change is being written its migration may get another number; what is not merged was never released.
  const changes = git('log', '--format=%H', '--', 'apps/server/migrations').split('\n')
  const isOlder = (commit: string): boolean => {
    const there = git('ls-tree', '-r', '--name-only', commit, 'apps/server/migrations').split('\n')
    return there[0] !== '' && there.every((file) => file !== newest && known.includes(file))
  }
  return [before, ...changes].find((commit) => commit !== '' && isOlder(commit))
}

/**
 * A tarball has no history, and a shallow clone not enough of it. Wherever else no commit is found, something is broken,
 * and who asks for it fails.
 */
async function findOlder(): Promise<{ commit: string } | { without: string }> {
  if (!existsSync(join(root, '.git'))) return { without: 'this folder is no git checkout' }
  const commit = await findCommit()
  if (commit) return { commit }
  if (git('rev-parse', '--is-shallow-repository') === 'true') return { without: 'this clone is shallow' }
  throw new Error('the history of this checkout has no program before the newest migration')
}

export const history = await findOlder()

/** Everything that is installed, but of our own packages those of the folder. */
function linkPackages(folder: string): void {
  const from = join(root, 'node_modules')
  const to = join(folder, 'node_modules')
  mkdirSync(join(to, ours), { recursive: true })
  const link = (name: string) => symlinkSync(join(from, name), join(to, name), 'junction')
  for (const name of readdirSync(from)) if (name !== ours) link(name)
  for (const [name, place] of [
    ['contract', 'packages/contract'],
    ['server', 'apps/server'],
    ['simulator', 'apps/simulator'],
  ] as const)
    symlinkSync(join(folder, place), join(to, ours, name), 'junction')
}

/** @returns the newest migration that the older program knows */
export async function unpackOlderProgram(commit: string, folder: string): Promise<number> {
  const archive = join(folder, 'older.tar')
  git('archive', '--output', archive, commit, 'apps/server', 'apps/simulator', 'packages', 'package.json')
  execFileSync('tar', ['-xf', 'older.tar'], { cwd: folder })
  linkPackages(folder)
  const files = await readdir(join(folder, 'apps/server/migrations'))
  return Math.max(...files.map((file) => Number(file.slice(0, 4))))
}
