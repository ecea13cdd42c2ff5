import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { phrase } from '@ithings/contract/text.ts'
import { TerminalError } from '#terminal.ts'

/** The user PostgreSQL runs as when we are root: it refuses to run as root itself. */
export type Account = { uid: number; gid: number; name: string }

/** The best first; macOS has the second one. */
const accountNames = ['postgres', '_postgres', 'nobody']

/**
 * Undefined means "as ourselves". Accounts are only looked up, never made: many machines have no useradd.
 * An existing cluster keeps its owner, so `sudo npm start` after `npm start` (and the reverse order of users) works.
 */
export async function pickAccount(existingCluster: string | undefined): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  if (existingCluster) {
    const owner = await stat(existingCluster)
    if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `uid ${owner.uid}` }
  }
  const accounts = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  const found = accountNames.map((name) => accounts.find((one) => one.name === name)).find(Boolean)
  if (!found) {
    throw new TerminalError(phrase('PostgreSQL 不能以 root 身份运行，而本机没有用户 postgres 或 nobody'))
  }
  return found
}

export function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || name.startsWith('#') || !uid || !gid) return []
    // macOS writes -2 for nobody; chown wants it as the large number that it stands for.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
  })
}

/** Whether the account may walk down to this directory (every ancestor lets it through). */
export async function canEnter(directory: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true
  let path = await realpath(directory)
  for (;;) {
    const { uid, gid, mode } = await stat(path)
    const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & needed) === 0) return false
    const parent = dirname(path)
    if (parent === path) return true
    path = parent
  }
}

/** spawn wants the same number as -2 again. */
export const spawnIdentity = (account: Account | undefined) =>
  account ? { uid: account.uid | 0, gid: account.gid | 0 } : {}
