/**
 * The way down when several servers share one database: a device is spoken to by the server that holds its connection.
 * Who is connected where is in device_session; the message waits in downlink_relay for the moment it takes to be told.
 */
import { parseTopic } from '@ithings/contract/device/topics.ts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { Broker } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { Signal } from '#ports/signal.ts'

export interface DeviceName {
  productID: string
  deviceName: string
}

export interface RelayKit {
  db: Db
  signal: Signal
  clock: Clock
  log: Logger
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  /** As presence writes it into device_session. */
  serverID: string
  /** Whom a sub-device speaks through. */
  gatewayOf(device: DeviceName): DeviceName | undefined | Promise<DeviceName | undefined>
}

export interface Relay extends Pick<Broker, 'publish' | 'sessionOf'> {
  /** Those of the devices that are connected to any of the servers. */
  connected<D extends DeviceName>(devices: D[]): Promise<D[]>
  start(): Promise<void>
  stop(): Promise<void>
}

/** A command is given up after ten seconds; what is older than this helps nobody. */
const keepMs = 60_000

const keyOf = ({ productID, deviceName }: DeviceName): string => `${productID}/${deviceName}`

export function makeRelay({ db, signal, clock, log, broker, serverID, gatewayOf }: RelayKit): Relay {
  let running = false

  const sessionsOf = async (devices: DeviceName[]) => {
    const { rows } = await sql<{ product_id: string; device_name: string; server_id: string }>`
      select product_id, device_name, server_id
      from unnest(${devices.map((one) => one.productID)}::text[], ${devices.map((one) => one.deviceName)}::text[])
        as asked (product_id, device_name)
      join device using (product_id, device_name) join device_session using (device_id)`.execute(db)
    return rows
  }

  const isHere = ({ productID, deviceName }: DeviceName) => broker.sessionOf(productID, deviceName) !== undefined

  /** undefined: here, or nowhere, and then this broker keeps it for a session that comes back. */
  const serverOf = async (device: DeviceName): Promise<string | undefined> => {
    if (isHere(device)) return undefined
    const gateway = await gatewayOf(device)
    if (gateway && isHere(gateway)) return undefined
    const rows = await sessionsOf(gateway ? [device, gateway] : [device])
    // Sub-devices are listed with the server that their gateway speaks to; the gateway's own row is the newer word.
    const found = rows.find((row) => gateway && keyOf(gateway) === `${row.product_id}/${row.device_name}`) ?? rows[0]
    return found && found.server_id !== serverID ? found.server_id : undefined
  }

  /** Each is published once: deleting it is taking it. What is left of servers that are gone goes too. */
  const takeOwn = async () => {
    const old = clock.now() - keepMs
    const { rows } = await sql<{ id: number; topic: string; payload: Buffer; at: number }>`
      delete from downlink_relay where server_id = ${serverID} or at < ${old} returning id, topic, payload, at`.execute(
      db,
    )
    const fresh = rows.filter((row) => row.at >= old).sort((a, b) => a.id - b.id)
    for (const { topic, payload } of fresh) {
      try {
        await broker.publish(topic, payload)
      } catch (error) {
        log.error({ err: error, topic }, 'a message of another server could not be sent')
      }
    }
  }

  /** One after the other, so that two messages for a device keep their order. */
  let taking: Promise<void> | undefined
  let again = false
  const take = () => {
    again = true
    taking ??= (async () => {
      while (again && running) {
        again = false
        await takeOwn().catch((error) => log.error({ err: error }, 'messages of other servers could not be read'))
      }
    })().finally(() => {
      taking = undefined
      if (again && running) take()
    })
  }
  signal.on('downlink.relayed', (notice) => {
    if (notice.serverID === serverID) take()
  })
  signal.onGap(take)

  return {
    sessionOf: (productID, deviceName) => broker.sessionOf(productID, deviceName),
    async publish(topic, payload) {
      const to = parseTopic(topic)
      const elsewhere = to && (await serverOf(to))
      if (!elsewhere) return broker.publish(topic, payload)
      await db
        .insertInto('downlink_relay')
        .values({ server_id: elsewhere, topic, payload: Buffer.from(payload), at: clock.now() })
        .execute()
      await signal.send('downlink.relayed', { serverID: elsewhere })
    },
    async connected(devices) {
      const away = devices.filter((one) => !isHere(one))
      if (away.length === 0) return devices
      const known = new Set((await sessionsOf(away)).map((row) => `${row.product_id}/${row.device_name}`))
      return devices.filter((one) => isHere(one) || known.has(keyOf(one)))
    },
    async start() {
      running = true
      // For servers that are gone.
      await sql`delete from downlink_relay where at < ${clock.now() - keepMs}`.execute(db)
    },
    async stop() {
      running = false
      await taking
    },
  }
}
