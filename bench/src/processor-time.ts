/** Processor time of this process and of a PostgreSQL: says what work costs even while the machine does other things. */
import { readdirSync, readFileSync } from 'node:fs'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The parent stands after the name, which may hold blanks and brackets. */
const parentOf = (pid: string): string => {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

/** Milliseconds since some start; of the database only where /proc tells (Linux). */
export function makeProcessorTime(postmasterPidFile: string): { refresh(): void; now(): number } {
  const postmaster = read(postmasterPidFile).split('\n')[0] ?? ''
  let backends: string[] = []
  return {
    refresh() {
      backends = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
    },
    now() {
      const database = backends.reduce((sum, pid) => sum + Number(read(`/proc/${pid}/schedstat`).split(' ')[0]), 0)
      const { user, system } = process.cpuUsage()
      return database / 1e6 + (user + system) / 1e3
    },
  }
}
