/** A typed event with listeners: how the request layer tells the shell something without knowing it. */
export interface Signal<T> {
  emit: (value: T) => void
  /** Returns the function that stops listening. */
  on: (listener: (value: T) => void) => () => void
}

export function makeSignal<T>(): Signal<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    emit: (value) => {
      for (const listener of listeners) listener(value)
    },
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
