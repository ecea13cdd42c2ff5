/**
 * Notices that this process stood still: stopped, suspended with its machine, or starved. Its devices may have gone to
 * other servers meanwhile and sent again what still waits in its sockets; to store that, too, would store it twice.
 */
const lookMs = 500

export interface Standstill {
  /** Asked before anything is taken from a socket. */
  isAwake(): boolean
  stop(): void
}

export function watchStandstill(longestMs: number, stoodStill: (ms: number) => void): Standstill {
  let seenAt = performance.now()
  const isAwake = () => {
    const ms = performance.now() - seenAt
    return ms <= longestMs || look(ms)
  }
  const look = (ms = performance.now() - seenAt): boolean => {
    seenAt = performance.now()
    if (ms <= longestMs) return true
    stoodStill(ms)
    return false
  }
  const timer = setInterval(() => look(), lookMs).unref()
  return { isAwake, stop: () => clearInterval(timer) }
}
