/** The breaker of a task (screens.md 7.1 failStop): too many failures among those that are over end the run. */

/** A share of one or two devices says nothing; of a few devices half of them will do. */
const enough = 10

export interface FailCounts {
  total: number
  success: number
  failed: number
}

/** @returns why the run ends here; undefined: it goes on. `failStop` 0: never */
export function failStop(percent: number, { total, success, failed }: FailCounts): string | undefined {
  const ended = success + failed
  if (percent <= 0 || failed === 0 || ended < Math.min(enough, Math.ceil(total / 2))) return undefined
  const share = (failed * 100) / ended
  return share >= percent ? `失败率达到 ${Math.floor(share)}%，已熔断` : undefined
}
