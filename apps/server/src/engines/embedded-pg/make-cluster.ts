import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { patientRename } from '#ports/patient-rename.ts'
import type { Account } from './account.ts'
import { superuser } from './roles.ts'
import { programOptions, runProgram } from './run-program.ts'

const abandonedAfter = 10 * 60_000

/**
 * Makes the whole home beside its final place and renames it there: a crash leaves no half cluster, and of two
 * servers that start at once one wins and the other uses the winner's.
 */
export async function makeCluster(home: string, initdb: string, account: Account | undefined): Promise<void> {
  await removeAbandoned(home)
  const half = await mkdtemp(`${home}.new-`)
  try {
    await fill(half, initdb, account)
    await patientRename(half, home).catch(async (error: NodeJS.ErrnoException) => {
      const wonByAnother = await stat(join(home, 'cluster', 'PG_VERSION')).catch(() => undefined)
      if (!wonByAnother) throw error
    })
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

async function fill(half: string, initdb: string, account: Account | undefined): Promise<void> {
  await chmod(half, 0o711)
  const password = randomBytes(24).toString('hex')
  const forInitdb = join(half, 'initdb-password')
  for (const path of [join(half, 'password'), forInitdb]) await writeFile(path, password, { mode: 0o600 })
  for (const name of ['cluster', 'socket']) await mkdir(join(half, name), { mode: 0o700 })
  if (account) {
    for (const path of [join(half, 'cluster'), join(half, 'socket'), forInitdb]) {
      await chown(path, account.uid, account.gid)
    }
  }
  const args = [
    `--pgdata=${join(half, 'cluster')}`,
    `--username=${superuser}`,
    `--pwfile=${forInitdb}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  await runProgram(initdb, args, programOptions(initdb, account))
  await rm(forInitdb)
}

/** What a kill -9 in the middle of an earlier first start left behind. */
async function removeAbandoned(home: string): Promise<void> {
  const parent = dirname(home)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(home)}.new-`)) continue
    const path = join(parent, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > abandonedAfter) await rm(path, { recursive: true, force: true })
  }
}
