/** The signal port over LISTEN/NOTIFY on a connection of its own. */

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Signal, SignalMap, SignalName } from '#ports/signal.ts'

const channel = 'ithings_signal'
const reconnectMs = 1_000

interface Wire {
  from: string
  name: SignalName
  notice: SignalMap[SignalName]
}

/** Sends through the pool, so that a lost listening connection never keeps a notice from the other servers. */
export function makePgSignal(connectionString: string, pool: pg.Pool, onError: (error: Error) => void): Signal {
  const me = randomUUID()
  const listeners = new Map<SignalName, Array<(notice: SignalMap[SignalName]) => void>>()
  const gapListeners: Array<() => void> = []
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = true
  let connected = false

  const deliver = (name: SignalName, notice: SignalMap[SignalName]) => {
    for (const listener of listeners.get(name) ?? []) listener(notice)
  }

  const gap = () => {
    for (const listener of gapListeners) listener()
  }

  const lost = (error: Error) => {
    if (!connected && retry) return
    connected = false
    client = undefined
    gap()
    if (stopped) return
    onError(error)
    retry = setTimeout(() => void open().catch(lost), reconnectMs)
    retry.unref()
  }

  const open = async () => {
    retry = undefined
    const next = new pg.Client({ connectionString, application_name: 'ithings-core signal', keepAlive: true })
    next.on('error', lost)
    next.on('end', () => !stopped && client === next && lost(new Error('signal connection ended')))
    next.on('notification', ({ payload }) => {
      const wire = JSON.parse(payload ?? '{}') as Wire
      if (wire.from !== me) deliver(wire.name, wire.notice)
    })
    await next.connect()
    await next.query(`listen ${channel}`)
    client = next
    connected = true
    // Whatever was sent while we were away is unknown.
    gap()
  }

  return {
    get connected() {
      return connected
    },
    async send(name, notice) {
      deliver(name, notice)
      const wire: Wire = { from: me, name, notice }
      await pool.query('select pg_notify($1, $2)', [channel, JSON.stringify(wire)])
    },
    on(name, listener) {
      const list = listeners.get(name) ?? []
      list.push(listener as (notice: SignalMap[SignalName]) => void)
      listeners.set(name, list)
    },
    onGap(listener) {
      gapListeners.push(listener)
    },
    async start() {
      stopped = false
      await open()
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await client?.end()
      connected = false
    },
  }
}
