/**
 * The one WebSocket of a tab: open while somebody watches a topic and the page is seen, opened
 * again with growing pauses when it breaks, always with the token of the moment.
 */
import {
  LiveClose,
  type LiveNotice,
  type LiveRequest,
  liveNotice,
  liveProtocol,
} from '@ithings/contract/features/live.ts'

/** What changed; undefined: watching has just begun (again), anything may have changed before. */
export type LiveListener = (changes: readonly string[] | undefined) => void

export interface LiveSocket {
  /** Opens it for who will watch soon: what is watched then is known before what is asked meanwhile is answered. */
  expect: () => void
  /** @returns the function that ends watching */
  watch: (topic: string, listener: LiveListener) => () => void
  /** Notices arrive; otherwise screens have to ask by themselves. */
  connected: () => boolean
  onState: (listener: () => void) => () => void
}

export interface LiveSocketParts {
  url: () => string
  /** Empty when signed out. */
  token: () => string
  visible: () => boolean
  onVisible: (listener: () => void) => () => void
  pauses?: Partial<LivePauses>
}

export interface LivePauses {
  /** Before the first try after a break; doubles with each failure. */
  first: number
  longest: number
  /** How long the socket outlives its last topic: the next screen wants it again. */
  linger: number
  /** How long a hidden page keeps it. */
  hidden: number
}

const usualPauses: LivePauses = { first: 1000, longest: 15_000, linger: 10_000, hidden: 30_000 }

function parseNotice(data: unknown) {
  try {
    return liveNotice.safeParse(JSON.parse(String(data))).data
  } catch {
    return undefined
  }
}

/** Not all tabs at the same moment when a server comes back. */
const pauseAfter = (failures: number, { first, longest }: LivePauses): number =>
  Math.min(first * 2 ** failures, longest) * (0.5 + Math.random() / 2)

/** Sleeps when the page has been out of sight for a while, wakes when it is looked at again; the result ends it. */
function watchSight(parts: LiveSocketParts, hiddenMs: number, sleep: () => void, wake: () => void): () => void {
  let hiding: ReturnType<typeof setTimeout> | undefined
  const end = parts.onVisible(() => {
    clearTimeout(hiding)
    if (parts.visible()) wake()
    else hiding = setTimeout(sleep, hiddenMs)
  })
  return () => {
    clearTimeout(hiding)
    end()
  }
}

/** undefined: a text that cannot be a protocol name is no token of this platform. */
function dial(url: string, token: string): WebSocket | undefined {
  try {
    return new WebSocket(url, [liveProtocol, token])
  } catch {
    return undefined
  }
}

interface ConnectionUser {
  /** Somebody watches something. */
  wanted: () => boolean
  opened: () => void
  heard: (notice: LiveNotice) => void
  /** Whether notices arrive is another than before. */
  turned: () => void
}

/** One socket after the other: opened while wanted and not asleep, again after a pause when it broke. */
function makeConnection(parts: LiveSocketParts, pauses: LivePauses, user: ConnectionUser) {
  let socket: WebSocket | undefined
  let connected = false
  let asleep = false
  let failures = 0
  let refusedToken: string | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const setConnected = (value: boolean) => {
    if (connected === value) return
    connected = value
    user.turned()
  }

  function close(): void {
    clearTimeout(retry)
    retry = undefined
    const own = socket
    socket = undefined
    own?.close()
    setConnected(false)
  }

  function openLater(): void {
    if (retry !== undefined || !user.wanted() || asleep) return
    retry = setTimeout(open, pauseAfter(failures, pauses))
    failures += 1
  }

  function hear(data: unknown): void {
    const notice = parseNotice(data)
    if (!notice) return
    failures = 0
    setConnected(true)
    user.heard(notice)
  }

  function open(): void {
    retry = undefined
    if (socket || !user.wanted() || asleep) return
    const token = parts.token()
    // A refused token is not sent again: the next answered call renews it or leads to login.
    const own = token === '' || token === refusedToken ? undefined : dial(parts.url(), token)
    socket = own
    if (!own) {
      refusedToken = token
      openLater()
      return
    }
    own.onopen = user.opened
    own.onmessage = ({ data }) => socket === own && hear(data)
    own.onclose = ({ code }) => {
      if (socket !== own) return
      if (code === LiveClose.signedOut) refusedToken = token
      close()
      openLater()
    }
  }

  return {
    connected: () => connected,
    say(request: LiveRequest) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request))
    },
    /** Opens it, unless a try is due anyway. */
    ensure() {
      if (retry === undefined) open()
    },
    close,
    sleep() {
      asleep = true
      close()
    },
    wake() {
      asleep = false
      clearTimeout(retry)
      open()
    },
  }
}

export function makeLiveSocket(parts: LiveSocketParts): LiveSocket {
  const pauses = { ...usualPauses, ...parts.pauses }
  const topics = new Map<string, Set<LiveListener>>()
  const stateListeners = new Set<() => void>()
  let expected = false
  let ending: ReturnType<typeof setTimeout> | undefined
  let endLooking: (() => void) | undefined

  const { say, ensure, close, sleep, wake, connected } = makeConnection(parts, pauses, {
    wanted: () => topics.size > 0 || expected,
    opened: () => {
      for (const topic of topics.keys()) say({ op: 'sub', topic })
    },
    heard: ({ topic, code, changes }) => {
      // A refused topic shows in the refused query; there is nothing to listen to.
      if (code !== undefined) return
      for (const listener of [...(topics.get(topic) ?? [])]) listener(changes)
    },
    turned: () => {
      for (const listener of stateListeners) listener()
    },
  })

  function endWhenUnused(): void {
    clearTimeout(ending)
    ending = setTimeout(() => {
      expected = false
      if (topics.size > 0) return
      close()
      endLooking?.()
      endLooking = undefined
    }, pauses.linger)
  }

  function begin(): void {
    endLooking ??= watchSight(parts, pauses.hidden, sleep, wake)
    ensure()
  }

  return {
    expect() {
      expected = true
      begin()
      endWhenUnused()
    },
    watch(topic, listener) {
      expected = false
      if (!topics.has(topic)) say({ op: 'sub', topic })
      topics.set(topic, (topics.get(topic) ?? new Set()).add(listener))
      begin()
      return () => {
        const listeners = topics.get(topic)
        if (!listeners?.delete(listener) || listeners.size > 0) return
        topics.delete(topic)
        say({ op: 'unsub', topic })
        if (topics.size === 0) endWhenUnused()
      }
    },
    connected,
    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  }
}
