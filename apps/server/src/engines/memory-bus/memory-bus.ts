/** Events inside this process. A listener that fails is logged: whoever tells the news has no part in it. */
import type { EventBus, EventMap, EventName } from '#ports/event-bus.ts'

type Listener = (event: unknown) => unknown

export function makeMemoryBus(failed: (error: unknown, name: EventName) => void): EventBus {
  const listeners = new Map<EventName, Set<Listener>>()
  return {
    emit(name, event) {
      // A copy: listeners may leave while they are called.
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          const result = listener(event)
          if (result instanceof Promise) void result.catch((error: unknown) => failed(error, name))
        } catch (error) {
          failed(error, name)
        }
      }
    },
    on<N extends EventName>(name: N, listener: (event: EventMap[N]) => void) {
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own)
      // Each subscription counts, even of the same function twice.
      const entry: Listener = (event) => listener(event as EventMap[N])
      own.add(entry)
      return () => void own.delete(entry)
    },
  }
}
