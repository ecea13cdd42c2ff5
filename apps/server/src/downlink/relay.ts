/**
 * The way down when several servers share one database: a device is spoken to by the server that holds its connection.
 * Who is connected where is in device_session; the message waits in downlink_relay for the moment it takes to be told.
 */
import { parseTopic } from '@ithings/contract/device/topics.ts'
import { minuteMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Loop } from '#background/loop.ts'
import type { Common } from '#common-deps.ts'
import { runPrepared } from '#db/run-prepared.ts'
import type { Broker, Session } from '#ports/broker.ts'
import { type Upstream, upstreamClientID } from '#ports/upstream.ts'

export interface DeviceName {
  productID: string
  deviceName: string
}

export interface RelayDeps extends Common<'db' | 'clock' | 'signal' | 'log' | 'background'> {
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  /** To devices of a broker that others run any server can speak. */
  upstream?: Upstream | undefined
  /** How often it looks for messages whose notice was lost. */
  lookMs?: number
  /** As presence writes it into device_session. */
  serverID: string
  /** Whom a sub-device speaks through. */
  gatewayOf(device: DeviceName): DeviceName | undefined | Promise<DeviceName | undefined>
}

/** A command is given up after ten seconds; what is older than this helps nobody. */
const keepMs = minuteMs
const usualLookMs = 2_000

interface RelayedRow {
  id: number
  server_id: string
  topic: string
  payload: Buffer
  at: number
}

interface SessionRow {
  product_id: string
  device_name: string
  server_id: string
  client_id: string
  epoch: number
}

const keyOf = ({ productID, deviceName }: DeviceName): string => `${productID}/${deviceName}`

export class Relay implements Pick<Broker, 'publish' | 'sessionOf'> {
  readonly #deps: RelayDeps
  #running = false
  /** By id and time, those of the last minute. */
  readonly #taken = new Map<string, number>()
  /** One after the other, so that two messages for a device keep their order. */
  #taking: Promise<void> | undefined
  #again = false
  #looking: Loop | undefined

  constructor(deps: RelayDeps) {
    this.#deps = deps
    deps.signal.hear('downlink.relayed', deps.serverID, () => this.#take())
    deps.signal.onGap(() => this.#take())
  }

  async start(): Promise<void> {
    this.#running = true
    // For servers that are gone.
    await sql`delete from downlink_relay where at < ${this.#deps.clock.now() - keepMs}`.execute(this.#deps.db)
    const { background, lookMs = usualLookMs } = this.#deps
    const run = async () => this.#take()
    this.#looking = background.every({ name: 'downlink.relay', everyMs: lookMs, firstMs: lookMs, run })
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.#looking?.stop()
    await this.#taking
  }

  sessionOf(productID: string, deviceName: string): Session | undefined {
    return this.#deps.broker.sessionOf(productID, deviceName)
  }

  async publish(topic: string, payload: string | Uint8Array): Promise<void> {
    const { db, clock, signal, broker, upstream } = this.#deps
    const to = parseTopic(topic)
    const row = to && (await this.#rowOf(to))
    if (row && upstream && row.client_id === upstreamClientID) return upstream.publish(topic, payload)
    const elsewhere = row && this.#isElsewhere(row) ? row.server_id : undefined
    if (!elsewhere) return broker.publish(topic, payload)
    // It need not be safe: one that is lost with the database is a command without an answer, and its caller is told.
    const put = sql`
      with soon as (select set_config('synchronous_commit', 'off', true))
      insert into downlink_relay (server_id, topic, payload, at)
      select ${elsewhere}::text, ${topic}::text, ${Buffer.from(payload)}::bytea, ${clock.now()}::bigint from soon`
    await runPrepared(db, put)
    await signal.send('downlink.relayed', { serverID: elsewhere })
  }

  /** Those of the devices that are connected to any of the servers. */
  async connected<D extends DeviceName>(devices: D[]): Promise<D[]> {
    const away = devices.filter((one) => !this.#isHere(one))
    if (away.length === 0) return devices
    const known = new Set((await this.#sessionsOf(away)).map((row) => `${row.product_id}/${row.device_name}`))
    return devices.filter((one) => this.#isHere(one) || known.has(keyOf(one)))
  }

  #isHere({ productID, deviceName }: DeviceName): boolean {
    return this.sessionOf(productID, deviceName) !== undefined
  }

  async #sessionsOf(devices: DeviceName[]): Promise<SessionRow[]> {
    const find = sql<SessionRow>`
      select product_id, device_name, server_id, client_id, epoch
      from unnest(${devices.map((one) => one.productID)}::text[], ${devices.map((one) => one.deviceName)}::text[])
        as asked (product_id, device_name)
      join device using (product_id, device_name) join device_session using (device_id)`
    const { rows } = await runPrepared(this.#deps.db, find)
    return rows
  }

  /** By which connection the device is reached; undefined: by none. */
  async #rowOf(device: DeviceName): Promise<SessionRow | undefined> {
    const gateway = await this.#deps.gatewayOf(device)
    const rows = await this.#sessionsOf(gateway ? [device, gateway] : [device])
    // Sub-devices are listed with the server that their gateway speaks to; the gateway's own row is the newer word.
    return rows.find((row) => gateway && keyOf(gateway) === `${row.product_id}/${row.device_name}`) ?? rows[0]
  }

  /**
   * If it is not, it is here, or nowhere, and then this broker keeps the message for a session that comes back. The row
   * decides: a connection here may be a dead one of a device that is on another server by now.
   */
  #isElsewhere(row: SessionRow): boolean {
    if (row.server_id === this.#deps.serverID) return false
    // It has just come here, and the row is not written yet.
    const here = this.sessionOf(row.product_id, row.device_name)
    return (here?.epoch ?? 0) <= row.epoch
  }

  #take(): void {
    this.#again = true
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined
      if (this.#again && this.#running) this.#take()
    })
  }

  async #takeAll(): Promise<void> {
    while (this.#again && this.#running) {
      this.#again = false
      await this.#takeOwn().catch((error) =>
        this.#deps.log.error({ err: error }, 'messages of other servers could not be read'),
      )
    }
  }

  /**
   * A database that becomes the primary may not know yet that a message was taken: its taker does. Not to wait for the
   * standby at each is worth that.
   */
  #isNew({ id, at }: RelayedRow): boolean {
    const key = `${id} ${at}`
    if (this.#taken.has(key)) return false
    this.#taken.set(key, at)
    return true
  }

  /**
   * Each is published once: deleting it is taking it. What a server did not take before it was gone finds its way anew:
   * its devices are elsewhere by now, or have stored sessions.
   */
  async #takeOwn(): Promise<void> {
    const { db, clock, broker, log, serverID } = this.#deps
    const old = clock.now() - keepMs
    for (const [key, at] of this.#taken) if (at < old) this.#taken.delete(key)
    const take = sql<RelayedRow>`
      with soon as (select set_config('synchronous_commit', 'off', true))
      delete from downlink_relay using soon where server_id = ${serverID} or at < ${old}
        or server_id not in (select server_id from platform_server)
      returning id, server_id, topic, payload, at`
    const { rows } = await runPrepared(db, take)
    const fresh = rows.filter((row) => row.at >= old && this.#isNew(row)).sort((a, b) => a.id - b.id)
    for (const { server_id, topic, payload } of fresh) {
      try {
        await (server_id === serverID ? broker : this).publish(topic, payload)
      } catch (error) {
        log.error({ err: error, topic }, 'a message of another server could not be sent')
      }
    }
  }
}
