import { vi } from 'vitest'

/** Tries again until it throws no more. A slow machine is no failure: only what never comes is. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 120_000, interval: 50 })
