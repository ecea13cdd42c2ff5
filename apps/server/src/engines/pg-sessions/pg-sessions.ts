/**
 * Stored sessions in PostgreSQL (ports/session-store.ts). Each row of a session has the number of the connection that has
 * it: who has an older one writes nothing. Only opening makes a session, so none comes back that a newer connection ended.
 */
import { ownerOf } from '@ithings/contract/device/topics.ts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Background } from '#background/background.ts'
import type { Loop } from '#background/loop.ts'
import type {
  OpenedSession,
  Opening,
  SessionHolder,
  SessionStore,
  StoredFilter,
  StoredListener,
  TakenMessages,
  WaitingMessage,
} from '#ports/session-store.ts'
import type { Signal } from '#ports/signal.ts'
import { type Batch, makeBatch } from './batch.ts'
import { defaultSessionLimits, type SessionLimits } from './limits.ts'
import { openSessions } from './open-sessions.ts'
import { epochs, ids, makeQuery, type Query } from './query.ts'
import * as statements from './statements.ts'
import { makeSweep, type Sweep } from './sweep.ts'

export interface PgSessionsOptions {
  pool: pg.Pool
  signal: Signal
  /** As presence writes it into device_session. */
  serverID: string
  background: Background
  log: Logger
  metrics: Registry
  limits?: Partial<SessionLimits>
}

interface Message {
  deviceID: number
  /** Of the connection that sends it next; null: none does. */
  epoch: number | null
  topic: string
  payload: Buffer
}
interface Taking extends SessionHolder {
  after: number | null
}
type Kept = number | 'elsewhere' | undefined
interface AddedMessage {
  ord: number
  id: number
  device_id: number
  server_id: string | null
  own: boolean
  dropped: number
}

const most = 500
/** Of messages, which may have 256 KB each. */
const mostMessages = 100
const mostWaiting = 100_000
const mostWaitingMessages = 20_000
/** Read at once for one device. */
const mostTaken = 20
const mostTakers = 20
/** A notice has at most 8,000 bytes. */
const mostPerNotice = 400
const soon = 'off'

export class PgSessions implements SessionStore {
  readonly #options: PgSessionsOptions
  readonly #limits: SessionLimits
  readonly #dropped: Counter
  readonly #sweep: Sweep
  readonly #query: Query
  #loop: Loop | undefined
  #heard: (deviceID: number) => void = () => {}
  readonly #openings: Batch<Opening, OpenedSession | undefined>
  readonly #filters: Batch<SessionHolder & { filters: StoredFilter[] }, unknown>
  readonly #unfilters: Batch<SessionHolder & { filters: string[] }, unknown>
  readonly #kept: Batch<Message, Kept>
  readonly #queued: Batch<Message, Kept>
  readonly #taking: Batch<Taking, TakenMessages>
  readonly #removed: Batch<{ deviceID: number; id: number }, unknown>
  readonly #leaving: Batch<SessionHolder, unknown>
  readonly #listeners: Batch<string, StoredListener[]>

  constructor(options: PgSessionsOptions) {
    this.#options = options
    this.#limits = { ...defaultSessionLimits, ...options.limits }
    this.#dropped = new Counter({
      name: 'ithings_mqtt_queue_dropped_total',
      help: 'Queued downlinks of absent devices that went to make room',
      registers: [options.metrics],
    })
    const dropped = (count: number) => this.#dropped.inc(count)
    this.#sweep = makeSweep(options.pool, this.#limits, dropped, () => this.#loop?.wake())
    this.#query = makeQuery(options.pool)
    const fresh = (count: number) => this.#sweep.added('sessions', count)
    const usual = { most, mostWaiting }
    const large = { most: mostMessages, mostWaiting: mostWaitingMessages }
    this.#openings = makeBatch({ ...usual, run: (asked) => openSessions(this.#query, options.serverID, asked, fresh) })
    this.#filters = makeBatch({ ...usual, run: (asked) => this.#subscribeAll(asked) })
    this.#unfilters = makeBatch({ ...usual, run: (asked) => this.#unsubscribeAll(asked) })
    this.#kept = makeBatch({ ...large, run: (asked) => this.#addAll(asked, soon) })
    this.#queued = makeBatch({ ...large, run: (asked) => this.#addAll(asked, null) })
    this.#taking = makeBatch({ most: mostTakers, mostWaiting, run: (asked) => this.#takeAll(asked) })
    this.#removed = makeBatch({
      ...usual,
      // Should they stay stored, the devices get them once more: QoS 1 allows that.
      run: (asked) => this.#tryRun(statements.removeMessages, [ids(asked), asked.map(({ id }) => id), soon]),
    })
    this.#leaving = makeBatch({
      ...usual,
      run: (asked) => this.#tryRun(statements.leaveSessions, [ids(asked), epochs(asked), soon]),
    })
    this.#listeners = makeBatch({ ...usual, run: (owners) => this.#readListeners(owners) })
    options.signal.hear('session.queued', options.serverID, ({ deviceIDs }) => {
      for (const deviceID of deviceIDs) this.#heard(deviceID)
    })
    options.signal.onGap(() => void this.#findQueued())
  }

  start(): void {
    const { background } = this.#options
    this.#loop = background.every({ name: 'mqtt.sessions', everyMs: this.#limits.sweepMs, run: this.#sweep.run })
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
    for (const batch of [this.#queued, this.#kept, this.#removed, this.#leaving]) await batch.settled()
  }

  async open(opening: Opening): Promise<OpenedSession | undefined> {
    const opened = await this.#openings.add(opening)
    if (!opened && !opening.clean) throw new Error('the device has a newer connection, or is gone')
    return opened
  }

  async subscribe(holder: SessionHolder, filters: StoredFilter[]): Promise<void> {
    if (filters.length > 0) await this.#filters.add({ ...holder, filters })
  }

  async unsubscribe(holder: SessionHolder, filters: string[]): Promise<void> {
    if (filters.length > 0) await this.#unfilters.add({ ...holder, filters })
  }

  keep(holder: SessionHolder, topic: string, payload: Buffer): Promise<Kept> {
    return this.#kept.add({ ...holder, topic, payload })
  }

  async queue(deviceID: number, topic: string, payload: Buffer): Promise<void> {
    await this.#queued.add({ deviceID, epoch: null, topic, payload })
  }

  take(holder: SessionHolder, after: number): Promise<TakenMessages> {
    return this.#taking.add({ ...holder, after })
  }

  takeUnsent(holder: SessionHolder): Promise<TakenMessages> {
    return this.#taking.add({ ...holder, after: null })
  }

  acknowledged(deviceID: number, id: number): void {
    this.#removed.add({ deviceID, id }).catch(() => {})
  }

  left(holder: SessionHolder): void {
    this.#leaving.add(holder).catch(() => {})
  }

  listenersOf(owner: string): Promise<StoredListener[]> {
    return this.#listeners.add(owner)
  }

  onQueued(listener: (deviceID: number) => void): void {
    this.#heard = listener
  }

  async count(): Promise<{ sessions: number; queued: number }> {
    const rows = await this.#query<{ sessions: number; queued: number }>(statements.countAll)
    return rows[0] ?? { sessions: 0, queued: 0 }
  }

  #warn(error: unknown, text: string): void {
    this.#options.log.warn({ err: error }, text)
  }

  async #run(statement: string, values: unknown[]): Promise<unknown[]> {
    await this.#query(statement, values)
    return []
  }

  /** One line in the log for all of them: whole fleets leave at once. */
  async #tryRun(statement: string, values: unknown[]): Promise<unknown[]> {
    return this.#run(statement, values).catch((error) => {
      this.#warn(error, 'acknowledgements or ends of stored sessions were not written')
      return []
    })
  }

  #subscribeAll(asked: Array<SessionHolder & { filters: StoredFilter[] }>): Promise<unknown[]> {
    const all = asked.flatMap(({ filters, deviceID, epoch }) => filters.map((one) => ({ ...one, deviceID, epoch })))
    const topics = all.map(({ topic }) => topic)
    const values = [ids(all), epochs(all), topics, all.map(({ qos }) => qos), topics.map(ownerOf)]
    return this.#run(statements.addFilters, values)
  }

  #unsubscribeAll(asked: Array<SessionHolder & { filters: string[] }>): Promise<unknown[]> {
    const all = asked.flatMap(({ filters, deviceID, epoch }) => filters.map((topic) => ({ topic, deviceID, epoch })))
    return this.#run(statements.removeFilters, [ids(all), epochs(all), all.map(({ topic }) => topic)])
  }

  async #addAll(asked: Message[], commit: string | null): Promise<Kept[]> {
    const texts = [asked.map(({ topic }) => topic), asked.map(({ payload }) => payload)]
    const values = [ids(asked), epochs(asked), ...texts, this.#limits.queuedPerClient, commit]
    const rows = await this.#query<AddedMessage>(statements.addMessages, values)
    const answers: Kept[] = asked.map(() => undefined)
    for (const { ord, id, own } of rows) answers[ord - 1] = own ? id : 'elsewhere'
    this.#dropped.inc(rows[0]?.dropped ?? 0)
    this.#sweep.added('queued', rows.length)
    await this.#tellQueued(rows.filter(({ own }) => !own))
    return answers
  }

  /** They are stored: if the notice fails, they are taken at the next gap or the next time the device connects. */
  async #tellQueued(rows: AddedMessage[]): Promise<void> {
    for (const [serverID, list] of Map.groupBy(rows, (row) => row.server_id)) {
      if (serverID === null) continue
      const deviceIDs = [...new Set(list.map((row) => row.device_id))]
      if (serverID === this.#options.serverID) {
        for (const deviceID of deviceIDs) this.#heard(deviceID)
        continue
      }
      for (let at = 0; at < deviceIDs.length; at += mostPerNotice) {
        const notice = { serverID, deviceIDs: deviceIDs.slice(at, at + mostPerNotice) }
        await this.#options.signal
          .send('session.queued', notice)
          .catch((error) => this.#warn(error, 'a server was not told of messages that wait for its devices'))
      }
    }
  }

  /** Notices may have been missed. */
  async #findQueued(): Promise<void> {
    try {
      const rows = await this.#query<{ device_id: number }>(statements.readQueued, [this.#options.serverID])
      for (const { device_id } of rows) this.#heard(device_id)
    } catch (error) {
      // The database is away: there will be another gap when it is back.
      this.#warn(error, 'it is not known for which devices messages wait')
    }
  }

  async #takeAll(asked: Taking[]): Promise<TakenMessages[]> {
    const values = [ids(asked), epochs(asked), asked.map(({ after }) => after), mostTaken]
    const rows = await this.#query<WaitingMessage & { ord: number }>(statements.takeMessages, values)
    const found = Map.groupBy(rows, ({ ord }) => ord - 1)
    return asked.map((_, index) => {
      const messages = found.get(index) ?? []
      return { messages, more: messages.length === mostTaken }
    })
  }

  async #readListeners(owners: string[]): Promise<StoredListener[][]> {
    const rows = await this.#query<{
      owner: string
      filter: string
      device_id: number
      product_id: string
      device_name: string
    }>(statements.readListeners, [[...new Set(owners)]])
    const found = Map.groupBy(rows, (row) => row.owner)
    return owners.map((owner) =>
      (found.get(owner) ?? []).map((row) => ({
        deviceID: row.device_id,
        productID: row.product_id,
        deviceName: row.device_name,
        filter: row.filter,
      })),
    )
  }
}
