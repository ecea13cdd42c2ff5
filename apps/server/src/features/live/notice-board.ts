/**
 * Who watches which topic, and the pace of notices: at most one each gap and topic. What happens
 * within the gap is gathered and told at its end, so that the last change is never lost.
 */
import type { LiveChange } from '@ithings/contract/features/live.ts'

/** One message makes several changes (values, log, command): they are one notice. */
const momentMs = 10

export interface Watcher {
  send(text: string): void
}

interface TopicState {
  watchers: Set<Watcher>
  changes: Set<LiveChange>
  /** Of the clock that never jumps. */
  toldAt: number
  timer: NodeJS.Timeout | undefined
}

export interface NoticeBoardParts {
  gapMs: number
  /** Milliseconds, for the notice. */
  now(): number
  /** The first watcher came, the last one went. */
  opened(topic: string): void
  closed(topic: string): void
}

export interface NoticeBoard {
  join(topic: string, watcher: Watcher): void
  leave(topic: string, watcher: Watcher): void
  /** Costs one look-up when nobody watches. */
  tell(topic: string, change: LiveChange): void
  /** Every watched topic that begins so. */
  tellAll(start: string, change: LiveChange): void
  stop(): void
  readonly topics: number
  readonly told: number
}

export function makeNoticeBoard({ gapMs, now, opened, closed }: NoticeBoardParts): NoticeBoard {
  const states = new Map<string, TopicState>()
  let told = 0

  const sayNow = (topic: string, state: TopicState) => {
    state.timer = undefined
    state.toldAt = performance.now()
    const text = JSON.stringify({ topic, at: now(), changes: [...state.changes] })
    state.changes.clear()
    told += state.watchers.size
    for (const watcher of state.watchers) watcher.send(text)
  }

  const note = (topic: string, state: TopicState, change: LiveChange) => {
    state.changes.add(change)
    if (state.timer) return
    const wait = Math.max(state.toldAt + gapMs - performance.now(), Math.min(momentMs, gapMs))
    state.timer = setTimeout(sayNow, Math.ceil(wait), topic, state)
  }

  return {
    join(topic, watcher) {
      const known = states.get(topic)
      if (known) {
        known.watchers.add(watcher)
        return
      }
      const toldAt = Number.NEGATIVE_INFINITY
      states.set(topic, { watchers: new Set([watcher]), changes: new Set(), toldAt, timer: undefined })
      opened(topic)
    },
    leave(topic, watcher) {
      const state = states.get(topic)
      if (!state?.watchers.delete(watcher) || state.watchers.size > 0) return
      clearTimeout(state.timer)
      states.delete(topic)
      closed(topic)
    },
    tell(topic, change) {
      const state = states.get(topic)
      if (state) note(topic, state, change)
    },
    tellAll(start, change) {
      for (const [topic, state] of states) if (topic.startsWith(start)) note(topic, state, change)
    },
    stop() {
      for (const state of states.values()) clearTimeout(state.timer)
      states.clear()
    },
    get topics() {
      return states.size
    },
    get told() {
      return told
    },
  }
}
