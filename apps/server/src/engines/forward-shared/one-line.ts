/** The connection of a target: opened when something is sent, kept, and ended when a send fails, so that nothing of it comes later. */
import { stopped } from './away.ts'

interface Line {
  isOpen(): boolean
  end(): void
}

export interface OneLine<L extends Line> {
  /** The one that is open, or a new one. */
  open(signal: AbortSignal): Promise<L>
  current(): L | undefined
  /** @param work gets a signal that also says that the target is closed */
  sending<T>(signal: AbortSignal, work: (ends: AbortSignal) => Promise<T>): Promise<T>
  close(): void
}

export function oneLine<L extends Line>(connect: (signal: AbortSignal) => Promise<L>): OneLine<L> {
  const closing = new AbortController()
  let line: L | undefined
  let opening: Promise<L> | undefined
  const drop = () => {
    line?.end()
    line = undefined
  }

  return {
    open(signal) {
      if (line?.isOpen()) return Promise.resolve(line)
      opening ??= connect(signal)
        .then((made) => {
          if (signal.aborted) {
            made.end()
            throw stopped()
          }
          line = made
          return made
        })
        .finally(() => {
          opening = undefined
        })
      return opening
    },
    current: () => line,
    async sending(signal, work) {
      const ends = new AbortController()
      const stop = () => ends.abort()
      const stops = [signal, closing.signal]
      for (const one of stops) one.addEventListener('abort', stop)
      try {
        if (stops.some((one) => one.aborted)) throw stopped()
        return await work(ends.signal)
      } catch (error) {
        // Also what is still being opened.
        stop()
        drop()
        throw error
      } finally {
        for (const one of stops) one.removeEventListener('abort', stop)
      }
    },
    close() {
      closing.abort()
      drop()
    },
  }
}
