/** The signal port over a line of any kind: who hears what. */
import { randomUUID } from 'node:crypto'
import { type AddressedName, addressed, type Signal, type SignalMap, type SignalName } from '#ports/signal.ts'
import { Line, type LineEnds, type OpenLine, type SignalPatience } from './line.ts'

type Notice = SignalMap[SignalName]
type Listener = (notice: Notice) => void

export interface SignalEngine<L extends OpenLine> {
  /** @param limitMs after which it fails */
  open(ends: LineEnds, limitMs: number): Promise<L>
  /**
   * To the other servers; whether it comes back to this one does not matter.
   * @param address undefined: all of them
   * @param line undefined while it is lost
   */
  send(text: string, address: string | undefined, line: L | undefined): Promise<void>
  patience: SignalPatience
  failed(error: Error): void
}

interface Wire {
  from: string
  name: SignalName
  notice: Notice
}

/** From a server that could not tell the others something: they forget everything, as after a gap of their own. */
export const missed = JSON.stringify({ missed: true })

function readWire(text: string): Partial<Wire> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** What concerns all servers. */
const everybody = ''

const addressOf = (name: SignalName, notice: Notice): string | undefined =>
  name in addressed ? String(notice[addressed[name as AddressedName] as keyof Notice]) : undefined

export function makeSignal<L extends OpenLine>({ open, send, patience, failed }: SignalEngine<L>): Signal {
  const me = randomUUID()
  const listeners = new Map<string, Array<{ name: SignalName; listener: Listener }>>([[everybody, []]])
  const gapListeners: Array<() => void> = []
  let doubted = false

  const gap = () => {
    for (const listener of gapListeners) listener()
  }
  const deliver = (name: SignalName, notice: Notice) => {
    const concerned = listeners.get(addressOf(name, notice) ?? everybody) ?? []
    for (const one of [...concerned]) if (one.name === name) one.listener(notice)
  }
  const line = new Line<L>({
    open,
    patience,
    beat: JSON.stringify({ from: me }),
    hear(text) {
      if (text === missed) return gap()
      const { from, name, notice } = readWire(text)
      if (from !== me && name && notice) deliver(name, notice)
    },
    addresses: () => [...listeners.keys()].filter((address) => address !== everybody),
    gap,
    failed,
  })

  return {
    get connected() {
      return line.open !== undefined && !doubted
    },
    doubt(on) {
      if (on === doubted) return
      doubted = on
      gap()
    },
    get lagMs() {
      return line.lagMs
    },
    async send(name, notice) {
      deliver(name, notice)
      const wire: Wire = { from: me, name, notice }
      await send(JSON.stringify(wire), addressOf(name, notice), line.open)
    },
    on: (name, listener) => void listeners.get(everybody)?.push({ name, listener: listener as Listener }),
    hear(name, address, listener) {
      const entry = { name, listener: listener as Listener }
      const known = listeners.get(address)
      if (known) known.push(entry)
      else {
        listeners.set(address, [entry])
        line.follow(address)
      }
      return () => {
        const left = listeners.get(address)?.filter((one) => one !== entry) ?? []
        if (left.length > 0) listeners.set(address, left)
        else if (listeners.delete(address)) line.leave(address)
      }
    },
    onGap: (listener) => void gapListeners.push(listener),
    start: () => line.start(),
    stop: () => line.stop(),
  }
}
