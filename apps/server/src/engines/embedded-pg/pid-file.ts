import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasSignalPipe, servesCluster } from './system.ts'

/** What a postmaster writes into its data folder (postmaster.pid), as far as we need it. */
export type PidFile = { pid: number; port: number; socketDir: string; listens: string }

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , port, socketDir, listens] = text.split('\n').map((line) => line.trim())
  if (!pid || !port || !Number(pid)) return undefined
  return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '', listens: listens ?? '' }
}

/** Whether the number is in use, which is all that PostgreSQL itself looks at. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export function isAlive(pid: number): boolean {
  return isTaken(pid) && (process.platform !== 'linux' || !isZombie(pid))
}

/** In a container whose first process does not collect orphans, a killed server stays in the table for ever. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return ['Z', 'X'].includes(stat.charAt(stat.lastIndexOf(')') + 2))
  } catch {
    return true
  }
}

/** Whether the process is the postmaster of this cluster and not another program that got its number after a reboot. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  // Where it cannot be found out, a living process counts as one.
  return (await looks[process.platform]?.(pid, cluster)) ?? true
}

type Look = (pid: number, cluster: string) => Promise<boolean | undefined>

const looks: Partial<Record<NodeJS.Platform, Look>> = {
  /** A postmaster's working directory is its data folder. In a container root may not see it, but its command line. */
  async linux(pid, cluster) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
    if (cwd !== undefined) return cwd === (await realpath(cluster))
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return servesCluster(words.replaceAll('\0', ' ').trim(), cluster)
  },
  async darwin(pid, cluster) {
    const command = await commandOf(pid).catch(() => undefined)
    return command === undefined ? undefined : servesCluster(command, cluster)
  },
  async win32(pid) {
    const pipes = await readdir('\\\\.\\pipe\\').catch(() => undefined)
    return pipes && hasSignalPipe(pipes, pid)
  },
}

/** As far as the system's list of processes tells it, which every Unix has. */
export async function commandOf(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return stdout.trim()
}
