/** The signal port over LISTEN/NOTIFY on a connection of its own. */

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Signal, SignalMap, SignalName } from '#ports/signal.ts'

const channel = 'ithings_signal'
const reconnectMs = 1_000

/** A line that is cut without a word is noticed only by asking: we send ourselves a notice and must hear it. */
export interface SignalPatience {
  everyMs: number
  silentMs: number
}
const usualPatience: SignalPatience = { everyMs: 5_000, silentMs: 10_000 }

interface Wire {
  from: string
  name: SignalName
  notice: SignalMap[SignalName]
}

type Listener = (notice: SignalMap[SignalName]) => void

interface LineParts {
  connectionString: string
  patience: SignalPatience
  /** What it sends to itself. */
  beat: string
  hear(payload: string | undefined): void
  /** Notices are missed from now on, or may have been until now. */
  gap(): void
  failed(error: Error): void
}

/** The connection that listens: opened again and again until it is stopped. */
function makeLine({ connectionString, patience, beat, hear, gap, failed }: LineParts) {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let pulse: NodeJS.Timeout | undefined
  let heardAt = 0
  let asking = false
  let stopped = true

  const lost = (error: Error) => {
    if (retry || stopped) return
    const old = client
    client = undefined
    clearInterval(pulse)
    // A hung connection never says that it has ended.
    old?.end().catch(() => undefined)
    if (old) gap()
    failed(error)
    retry = setTimeout(() => void open().catch(lost), reconnectMs).unref()
  }

  /** Through the listening connection itself: a database that answers there also delivers there. */
  const ask = async (own: pg.Client): Promise<void> => {
    if (performance.now() - heardAt > patience.silentMs) return lost(new Error('the signal connection is silent'))
    if (asking) return
    asking = true
    try {
      await own.query('select pg_notify($1, $2)', [channel, beat])
    } catch (error) {
      if (client === own) lost(error as Error)
    } finally {
      asking = false
    }
  }

  const open = async () => {
    retry = undefined
    const next = new pg.Client({
      connectionString,
      application_name: 'ithings-core signal',
      keepAlive: true,
      connectionTimeoutMillis: patience.silentMs,
    })
    next.on('error', (error) => (client === next || client === undefined) && lost(error))
    next.on('end', () => client === next && lost(new Error('signal connection ended')))
    next.on('notification', ({ payload }) => {
      heardAt = performance.now()
      hear(payload)
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    if (stopped) return next.end()
    client = next
    heardAt = performance.now()
    pulse = setInterval(() => void ask(next), patience.everyMs).unref()
    gap()
  }

  return {
    isOpen: () => client !== undefined,
    async start() {
      stopped = false
      await open()
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      clearInterval(pulse)
      retry = undefined
      await client?.end()
      client = undefined
    },
  }
}

/** Sends through the pool, so that a lost listening connection never keeps a notice from the other servers. */
export function makePgSignal(
  connectionString: string,
  pool: pg.Pool,
  failed: (error: Error) => void,
  patience: SignalPatience = usualPatience,
): Signal {
  const me = randomUUID()
  const listeners = new Map<SignalName, Listener[]>()
  const gapListeners: Array<() => void> = []

  const deliver = (name: SignalName, notice: SignalMap[SignalName]) => {
    for (const listener of listeners.get(name) ?? []) listener(notice)
  }

  const line = makeLine({
    connectionString,
    patience,
    beat: JSON.stringify({ from: me }),
    hear(payload) {
      const wire = JSON.parse(payload ?? '{}') as Partial<Wire>
      if (wire.from !== me && wire.name && wire.notice) deliver(wire.name, wire.notice)
    },
    gap() {
      for (const listener of gapListeners) listener()
    },
    failed,
  })

  return {
    get connected() {
      return line.isOpen()
    },
    async send(name, notice) {
      deliver(name, notice)
      const wire: Wire = { from: me, name, notice }
      await pool.query('select pg_notify($1, $2)', [channel, JSON.stringify(wire)])
    },
    on(name, listener) {
      const list = listeners.get(name) ?? []
      list.push(listener as Listener)
      listeners.set(name, list)
    },
    onGap: (listener) => void gapListeners.push(listener),
    start: line.start,
    stop: line.stop,
  }
}
