/** Processor time of this process and of a PostgreSQL: says what work costs even while the machine does other things. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What follows the name, which may hold blanks and brackets: state, parent, ... */
const statOf = (pid: string | number): string[] => {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const hasProc = existsSync('/proc/self/stat')

const childrenOf = (parent: string): string[] =>
  hasProc ? readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)[1] === parent) : []

const tickMs = 10

/** Milliseconds that a process has worked with all its threads; NaN where nobody tells (not Linux). */
export function processTime(pid: number): number {
  const stat = statOf(pid)
  return (Number(stat[11] ?? Number.NaN) + Number(stat[12] ?? Number.NaN)) * tickMs
}

export const postmasterOf = (folder: string): string => read(`${folder}/cluster/postmaster.pid`).split('\n')[0] ?? ''

/** The same for all processes of a PostgreSQL that run now. */
export const databaseTime = (postmaster: string): number =>
  hasProc ? childrenOf(postmaster).reduce((sum, pid) => sum + processTime(Number(pid)), 0) : Number.NaN

export function residentMegabytes(pid: number): number {
  const kilobytes = hasProc
    ? /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(kilobytes ?? 0) / 1024
}

/** Milliseconds since some start; of the database only where /proc tells (Linux). */
export function makeProcessorTime(postmasterPidFile: string): { refresh(): void; now(): number } {
  const postmaster = read(postmasterPidFile).split('\n')[0] ?? ''
  let backends: string[] = []
  return {
    refresh() {
      backends = childrenOf(postmaster)
    },
    now() {
      const database = backends.reduce((sum, pid) => sum + Number(read(`/proc/${pid}/schedstat`).split(' ')[0]), 0)
      const { user, system } = process.cpuUsage()
      return database / 1e6 + (user + system) / 1e3
    },
  }
}
