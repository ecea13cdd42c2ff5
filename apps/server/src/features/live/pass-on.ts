/**
 * Tells all servers of a change of a shared topic, at most once each gap: a thousand alarms a second are two notices.
 * What happens within the gap is told at its end, so that the last change is never lost.
 */
interface PassOnParts {
  gapMs: number
  /** To every server, this one included. */
  send(topic: string): Promise<void>
  failed(error: unknown): void
}

interface PassOn {
  tell(topic: string): void
  stop(): void
}

export function makePassOn({ gapMs, send, failed }: PassOnParts): PassOn {
  /** Topics that were told within the gap; true: again since. */
  const resting = new Map<string, boolean>()
  const timers = new Set<NodeJS.Timeout>()

  const say = (topic: string) => {
    resting.set(topic, false)
    // The database may be away: the screens of this server were told, those of others ask again by themselves.
    send(topic).catch(failed)
    const timer = setTimeout(() => {
      timers.delete(timer)
      const again = resting.get(topic)
      resting.delete(topic)
      if (again) say(topic)
    }, gapMs)
    timer.unref()
    timers.add(timer)
  }

  return {
    tell: (topic) => void (resting.has(topic) ? resting.set(topic, true) : say(topic)),
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      resting.clear()
    },
  }
}
