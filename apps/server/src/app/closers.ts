import type { Logger } from 'pino'

export interface Closers {
  add(close: () => Promise<void>): void
  closeAll(): Promise<void>
}

/** Closers run in reverse order of opening, each even if an earlier one failed. */
export function makeClosers(log: Logger): Closers {
  const closers: Array<() => Promise<void>> = []
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      for (const close of closers.splice(0).reverse()) {
        await close().catch((error) => log.error({ err: error }, 'closing failed'))
      }
    },
  }
}
