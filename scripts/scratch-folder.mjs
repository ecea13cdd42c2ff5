// Where tests write. They make and remove hundreds of databases with a thousand files each, which costs a file system on
// a disk more than the tests themselves: in memory where Linux has room for it, else where temporary files go.
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const wantedBytes = 3 * 1024 ** 3

/** @param {string} platform @param {(path: string) => { bavail: number, bsize: number }} statfs */
export function scratchRoot(platform = process.platform, statfs = statfsSync) {
  if (platform !== 'linux') return tmpdir()
  try {
    const { bavail, bsize } = statfs(memory)
    return bavail * bsize >= wantedBytes ? memory : tmpdir()
  } catch {
    // A system without it.
    return tmpdir()
  }
}

export function makeScratchFolder() {
  const folder = mkdtempSync(join(scratchRoot(), 'ithings-test-'))
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o711)
  return folder
}
