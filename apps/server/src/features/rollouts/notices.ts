/** Tells screens of a run's changes: at once, then at most every quarter of a second, and surely after the last one. */
import type { EventBus } from '#ports/event-bus.ts'
import type { ChangedRun } from './row-writer.ts'

const gapMs = 250

export interface Notices {
  tell(run: ChangedRun): void
  stop(): void
}

export function makeNotices(bus: EventBus): Notices {
  /** Runs that were told of a moment ago; again: changed since. */
  const recent = new Map<number, { timer: NodeJS.Timeout; again: boolean }>()
  let stopped = false

  const emit = ({ runID, kind, topic }: ChangedRun) => {
    bus.emit('rollout.changed', { kind, topic, runID })
    const timer = setTimeout(() => {
      const again = recent.get(runID)?.again
      recent.delete(runID)
      if (again) emit({ runID, kind, topic })
    }, gapMs).unref()
    recent.set(runID, { timer, again: false })
  }

  return {
    tell(run) {
      if (stopped) return
      const found = recent.get(run.runID)
      if (found) found.again = true
      else emit(run)
    },
    stop() {
      stopped = true
      for (const { timer } of recent.values()) clearTimeout(timer)
      recent.clear()
    },
  }
}
