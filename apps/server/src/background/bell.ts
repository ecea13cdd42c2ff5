/** Wakes the work of this server that looks for new rows; other servers look by themselves every second. */
export interface Bell {
  ring(): void
  onRing(listener: () => void): void
}

export function makeBell(): Bell {
  const listeners: Array<() => void> = []
  return {
    ring: () => {
      for (const listener of listeners) listener()
    },
    onRing: (listener) => void listeners.push(listener),
  }
}
