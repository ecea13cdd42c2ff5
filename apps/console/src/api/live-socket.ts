/**
 * The one WebSocket of a tab: open while somebody watches a topic and the page is seen, opened
 * again with growing pauses when it breaks, always with the token of the moment.
 */
import { LiveClose, type LiveRequest, liveNotice, liveProtocol } from '@ithings/contract/features/live.ts'

/** What changed; undefined: watching has just begun (again), anything may have changed before. */
export type LiveListener = (changes: readonly string[] | undefined) => void

export interface LiveSocket {
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

export function makeLiveSocket(parts: LiveSocketParts): LiveSocket {
  const pauses = { ...usualPauses, ...parts.pauses }
  const topics = new Map<string, Set<LiveListener>>()
  const stateListeners = new Set<() => void>()
  let socket: WebSocket | undefined
  let connected = false
  let asleep = false
  let failures = 0
  let refusedToken: string | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let ending: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  const setConnected = (value: boolean) => {
    if (connected === value) return
    connected = value
    for (const listener of stateListeners) listener()
  }

  const say = (request: LiveRequest) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request))
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
    if (retry !== undefined || topics.size === 0 || asleep) return
    const pause = Math.min(pauses.first * 2 ** failures, pauses.longest)
    failures += 1
    // Not all tabs at the same moment when a server comes back.
    retry = setTimeout(open, pause * (0.5 + Math.random() / 2))
  }

  function hear(data: unknown): void {
    const notice = parseNotice(data)
    if (!notice) return
    failures = 0
    setConnected(true)
    // A refused topic shows in the refused query; there is nothing to listen to.
    if (notice.code !== undefined) return
    for (const listener of [...(topics.get(notice.topic) ?? [])]) listener(notice.changes)
  }

  /** undefined: a text that cannot be a protocol name is no token of this platform. */
  function dial(token: string): WebSocket | undefined {
    try {
      return new WebSocket(parts.url(), [liveProtocol, token])
    } catch {
      return undefined
    }
  }

  function open(): void {
    retry = undefined
    if (socket || topics.size === 0 || asleep) return
    const token = parts.token()
    // A refused token is not sent again: the next answered call renews it or leads to login.
    const own = token === '' || token === refusedToken ? undefined : dial(token)
    socket = own
    if (!own) {
      refusedToken = token
      openLater()
      return
    }
    own.onopen = () => {
      for (const topic of topics.keys()) say({ op: 'sub', topic })
    }
    own.onmessage = ({ data }) => {
      if (socket === own) hear(data)
    }
    own.onclose = ({ code }) => {
      if (socket !== own) return
      if (code === LiveClose.signedOut) refusedToken = token
      socket = undefined
      setConnected(false)
      openLater()
    }
  }

  function looked(): void {
    clearTimeout(hiding)
    if (!parts.visible()) {
      hiding = setTimeout(() => {
        asleep = true
        close()
      }, pauses.hidden)
      return
    }
    asleep = false
    if (socket || topics.size === 0) return
    clearTimeout(retry)
    open()
  }

  let endLooking: (() => void) | undefined
  function endWhenUnused(): void {
    clearTimeout(ending)
    ending = setTimeout(() => {
      if (topics.size > 0) return
      close()
      clearTimeout(hiding)
      endLooking?.()
      endLooking = undefined
    }, pauses.linger)
  }

  return {
    watch(topic, listener) {
      endLooking ??= parts.onVisible(looked)
      const listeners = topics.get(topic) ?? new Set()
      listeners.add(listener)
      if (!topics.has(topic)) {
        topics.set(topic, listeners)
        say({ op: 'sub', topic })
      }
      if (!socket && retry === undefined) open()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || topics.get(topic) !== listeners) return
        topics.delete(topic)
        say({ op: 'unsub', topic })
        if (topics.size === 0) endWhenUnused()
      }
    },
    connected: () => connected,
    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
  }
}
