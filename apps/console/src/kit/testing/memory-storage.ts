/** The browser's storage for tests; a full one refuses whatever is new. */
export function memoryStorage(full = false): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => {
      if (full) throw new Error('full')
      kept.set(key, value)
    },
  }
}
