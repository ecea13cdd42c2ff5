/**
 * Devices are connected to one server and looked at on another: a server says which topics its screens follow, hears
 * what changes there, and the others pass it on. Costs one look at an empty map while nobody far away watches.
 */
import { randomUUID } from 'node:crypto'
import type { LiveChange } from '@ithings/contract/features/live.ts'
import type { Common } from '#common-deps.ts'
import type { SignalMap } from '#ports/signal.ts'
import type { NoticeBoard } from './notice-board.ts'

interface FarWatchParts extends Common<'signal' | 'log'> {
  gapMs: number
  board: () => Pick<NoticeBoard, 'tell'>
  sayAgainMs?: number
}

export interface FarWatch {
  /** The first screen here looks at the topic, the last one has left it. */
  opened(topic: string): void
  closed(topic: string): void
  /** It changed here. */
  tell(topic: string, change: LiveChange): void
  stop(): void
}

const usualSayAgainMs = 30_000
/** Two words may be lost. */
const wordsMissed = 2.5
/** A notice between servers has at most 8,000 bytes. */
const topicsPerNotice = 40
const mostFarTopics = 20_000

export function makeFarWatch({ signal, log, gapMs, board, sayAgainMs = usualSayAgainMs }: FarWatchParts): FarWatch {
  const me = randomUUID()
  /** How to stop hearing of what screens here follow. */
  const watchedHere = new Map<string, () => void>()
  /** Topics that others follow, and until when that is so unless they say it again. */
  const watchedFar = new Map<string, number>()
  const gathering = new Map<string, Set<LiveChange>>()
  /** Opened here and not yet said. */
  const fresh: string[] = []
  let stopped = false
  const warn = (error: unknown) => log.warn({ err: error }, 'other servers could not be told what is watched')

  const later = (ms: number, work: () => void) => void setTimeout(() => stopped || work(), ms).unref()
  const say = (topics: string[]) => signal.send('live.watched', { serverID: me, topics }).catch(warn)
  const sayEach = (topics: string[]) => {
    for (let at = 0; at < topics.length; at += topicsPerNotice) void say(topics.slice(at, at + topicsPerNotice))
  }
  const sayAll = () => {
    sayEach([...watchedHere.keys()])
    const now = performance.now()
    for (const [topic, until] of watchedFar) if (until < now) watchedFar.delete(topic)
  }
  const again = setInterval(sayAll, sayAgainMs).unref()

  signal.on('live.watched', ({ serverID, topics }) => {
    if (stopped || serverID === me) return
    for (const topic of topics) {
      if (watchedFar.size >= mostFarTopics && !watchedFar.has(topic)) return
      watchedFar.set(topic, performance.now() + sayAgainMs * wordsMissed)
    }
  })
  const hear = ({ topic, changes, serverID }: SignalMap['live.changed']) => {
    if (stopped || serverID === me) return
    for (const change of changes) board().tell(topic, change as LiveChange)
  }
  signal.onGap(() => {
    if (!stopped) sayAll()
  })

  const pass = (topic: string) => {
    const changes = [...(gathering.get(topic) ?? [])]
    if (changes.length === 0) {
      gathering.delete(topic)
      return
    }
    gathering.set(topic, new Set())
    signal.send('live.changed', { topic, changes, serverID: me }).catch(warn)
    later(gapMs, () => pass(topic))
  }

  return {
    opened(topic) {
      watchedHere.set(topic, signal.hear('live.changed', topic, hear))
      // A list opens the topics of all its rows at once: they go together.
      if (fresh.length === 0) later(Math.min(10, gapMs), () => sayEach(fresh.splice(0)))
      fresh.push(topic)
    },
    closed(topic) {
      watchedHere.get(topic)?.()
      watchedHere.delete(topic)
    },
    tell(topic, change) {
      if (watchedFar.size === 0) return
      const until = watchedFar.get(topic)
      if (until === undefined || until < performance.now()) return
      const known = gathering.get(topic)
      if (known) {
        known.add(change)
        return
      }
      gathering.set(topic, new Set([change]))
      // One message makes several changes at once: they go together.
      later(Math.min(10, gapMs), () => pass(topic))
    },
    stop() {
      stopped = true
      clearInterval(again)
      for (const end of watchedHere.values()) end()
    },
  }
}
