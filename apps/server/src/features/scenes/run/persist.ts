import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Soon at first, then patiently: a database that is away for minutes must not cost a run. About ten minutes in all. */
const pausesMs = [100, 300, 1_000, 2_000, 4_000, ...Array.from({ length: 75 }, () => 8_000)]

/** What the database itself refused will be refused again. */
const isRefusal = (error: unknown) => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(22|23|42)/.test(code)
}

/** Tries again while the database cannot be reached: what was done must be noted. */
export async function persist<T>({ log }: { log: Logger }, work: (attempt: number) => Promise<T>): Promise<T> {
  for (const [attempt, pause] of pausesMs.entries()) {
    try {
      return await work(attempt)
    } catch (error) {
      if (isRefusal(error)) throw error
      log.warn({ err: error, attempt }, 'a run could not be written, trying again')
      await sleep(pause, undefined, { ref: false })
    }
  }
  return work(pausesMs.length)
}
