/** Browser storage that never throws: blocked or full storage falls back to memory for this visit. */
export interface TextStore {
  get: (key: string) => string
  set: (key: string, value: string) => void
  remove: (key: string) => void
}

export function guardedStore(open: () => Storage): TextStore {
  const memory = new Map<string, string>()
  const attempt = <T>(work: (storage: Storage) => T, otherwise: () => T): T => {
    try {
      return work(open())
    } catch {
      return otherwise()
    }
  }
  return {
    get: (key) =>
      memory.get(key) ??
      attempt(
        (storage) => storage.getItem(key) ?? '',
        () => '',
      ),
    set: (key, value) =>
      attempt(
        (storage) => {
          storage.setItem(key, value)
          memory.delete(key)
        },
        () => void memory.set(key, value),
      ),
    remove: (key) => {
      memory.delete(key)
      attempt(
        (storage) => storage.removeItem(key),
        () => undefined,
      )
    },
  }
}
