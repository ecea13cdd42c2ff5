/**
 * Lines of the hub log that no message of a device makes: comings, goings, refusals. Thousands of them come at once when
 * a fleet reconnects or a server is gone, so they are stored in batches, the next one gathering meanwhile.
 */
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef, EventBus } from '#ports/event-bus.ts'
import type { Journal, JournalEntry, JournalKind } from '#ports/journal.ts'

const perBatch = 1_000
/** decisions.md 4.3: four times what one server can lose at once; what is beyond is counted. */
const mostWaiting = 200_000
const warnEveryMs = 10_000

export interface HubLogLine {
  device: DeviceRef
  kind: JournalKind
  content: Record<string, unknown>
  /** ms; absent: now. */
  at?: number
  topic?: string
  code?: number
  msg?: string
}

export interface HubLogWriterDeps {
  journal: Pick<Journal, 'append' | 'nextSeq'>
  bus: EventBus
  clock: Clock
  log: Pick<Logger, 'warn'>
  metrics: Registry
  logDaysOf(productID: string): number | Promise<number>
}

export interface HubLogWriter {
  write(line: HubLogLine): void
  /** Resolves when everything told so far is stored, or is known to be lost. */
  settled(): Promise<void>
}

export function makeHubLogWriter({ journal, bus, clock, log, metrics, logDaysOf }: HubLogWriterDeps): HubLogWriter {
  const lost = new Counter({
    name: 'ithings_hub_lines_lost_total',
    help: 'Lines of the hub log about connections and refusals that could not be stored',
    registers: [metrics],
  })
  let waiting: Array<Omit<JournalEntry, 'logDays'>> = []
  let running: Promise<void> | undefined
  let untold = 0
  let warnedAt = 0

  const lose = (error: unknown) => {
    lost.inc()
    untold++
    const now = clock.now()
    if (Math.abs(now - warnedAt) < warnEveryMs) return
    log.warn({ err: error, lines: untold }, 'lines of the hub log could not be written')
    warnedAt = now
    untold = 0
  }

  const store = async (entry: Omit<JournalEntry, 'logDays'>) => {
    try {
      await journal.append({ ...entry, logDays: await logDaysOf(entry.productID) })
      const { deviceID, productID, deviceName } = entry
      bus.emit('device.logged', { device: { deviceID, productID, deviceName }, kind: 'hub' })
    } catch (error) {
      lose(error)
    }
  }

  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, perBatch)
      waiting = waiting.slice(perBatch)
      await Promise.all(batch.map(store))
    }
    running = undefined
  }

  return {
    write({ device, kind, content, at = clock.now(), topic = '', code = 200, msg = '' }) {
      const { deviceID, productID, deviceName } = device
      // Whoever registers is no device yet.
      if (deviceID === 0) return
      if (waiting.length >= mostWaiting) {
        lose(new Error(`${mostWaiting} lines are waiting already`))
        return
      }
      waiting.push({
        deviceID,
        productID,
        deviceName,
        at,
        seq: journal.nextSeq(),
        kind,
        up: true,
        topic,
        method: '',
        token: '',
        code,
        msg,
        deviceTime: 0,
        content: JSON.stringify(content),
        dataID: '',
        latency: 0,
        values: undefined,
      })
      running ??= drain()
    },
    async settled() {
      await running
    },
  }
}
