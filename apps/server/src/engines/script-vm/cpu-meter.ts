/** CPU time of this thread, so that a busy machine does not make a good script time out. */
import { cpuMilliseconds } from './limits.ts'

export interface CpuMeter {
  start(limit?: number): void
  /** Asked by the engine every few thousand steps. */
  isOver(): boolean
  spent(): number
  readonly tripped: boolean
}

export function makeCpuMeter(): CpuMeter {
  let from = process.threadCpuUsage()
  let limit = cpuMilliseconds
  let tripped = false
  const spent = () => {
    const { user, system } = process.threadCpuUsage(from)
    return (user + system) / 1000
  }
  return {
    start(newLimit = cpuMilliseconds) {
      from = process.threadCpuUsage()
      limit = newLimit
      tripped = false
    },
    isOver() {
      if (spent() > limit) tripped = true
      return tripped
    },
    spent,
    get tripped() {
      return tripped
    },
  }
}
