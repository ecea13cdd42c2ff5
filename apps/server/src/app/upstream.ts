/** A broker that others run, put together: the way up, the way down, who is there. */
import { Counter, type Registry } from 'prom-client'
import { showCounts } from '#background/gauges.ts'
import type { Common } from '#common-deps.ts'
import type { Connection } from '#db/connect.ts'
import type { DeviceName } from '#downlink/relay.ts'
import { makeTwoBrokers } from '#downlink/two-brokers.ts'
import { readEmqxEvent } from '#engines/mqtt-upstream/emqx-events.ts'
import { WayDown } from '#engines/mqtt-upstream/way-down.ts'
import { makePgClaims } from '#engines/pg-locks/pg-claims.ts'
import type { DeviceCache, Presence } from '#features/devices/door.ts'
import type { Broker, UplinkPacket } from '#ports/broker.ts'
import type { Upstream } from '#ports/upstream.ts'
import { makeFromUpstream } from '#uplink/from-upstream.ts'
import { UpstreamDevices } from '#uplink/upstream-devices.ts'
import type { UpstreamSettings } from './upstream-config.ts'
import { UpstreamParts } from './upstream-parts.ts'

/** What all of the server has. */
interface Outside extends Common<'clock' | 'signal' | 'log' | 'background'> {
  config: { upstream: UpstreamSettings | undefined }
  databaseUrl: string
  connection: Connection
  metrics: Registry
}

/** What is known of devices. */
interface Known {
  devices: DeviceCache
  presence: Presence
  broker: Pick<Broker, 'publish' | 'sessionOf'>
  gatewayOf(device: DeviceName): Promise<DeviceName | undefined>
  node: number
  alone: boolean
  isServing(): boolean
  carry(packet: UplinkPacket): Promise<void>
}

export interface UpstreamStack {
  wayDown: Upstream
  there: UpstreamDevices
  /** Messages come from now on. */
  start(): Promise<void>
  /** Those under way are stored and acknowledged. */
  stop(): Promise<void>
  /** '' when everything works. */
  trouble(): string
}

/** So soon another server takes what one has left. */
const lookMs = 2_000
const silenceMs = 15_000

function installMetrics(metrics: Registry, counts: () => Record<string, number>) {
  showCounts(
    metrics,
    'ithings_upstream',
    'Of the MQTT server that others run: devices heard, parts taken, messages that wait for their commit, 1 if all is well',
    counts,
  )
  return new Counter({
    name: 'ithings_upstream_messages_total',
    help: 'Messages of the MQTT server that others run, taken or dropped because of topic, unknown device or size',
    labelNames: ['result'],
    registers: [metrics],
  })
}

function makeUpstream(settings: UpstreamSettings, outside: Outside, known: Known): UpstreamStack {
  const { databaseUrl, connection, clock, signal, background, metrics, log } = outside
  const { devices, presence, broker, node, isServing, carry } = known
  const { db } = connection
  const { silentMs, events, parts } = settings
  const wayDown = new WayDown(settings.address, `${settings.clientID}-down-${presence.serverID}`, log)
  const isDirect = ({ productID, deviceName }: { productID: string; deviceName: string }) =>
    broker.sessionOf(productID, deviceName) !== undefined
  const there = new UpstreamDevices({ clock, presence, isDirect, silentMs })
  const from = makeFromUpstream({
    ...{ devices, there, clock, log, parts, carry, count: (result) => counter.inc({ result }) },
    readEvent: events === 'emqx' ? readEmqxEvent : undefined,
  })
  const claims = known.alone
    ? undefined
    : makePgClaims({ connectionString: databaseUrl, onLost: () => listening.lost() })
  const { message } = from
  const listening = new UpstreamParts({ settings, db, node, there, message, claims, isServing, log })
  const trouble = () => (wayDown.connected ? listening.trouble : 'not connected')
  const counter = installMetrics(metrics, () => ({
    devices: there.size,
    parts: listening.sessions.length,
    inflight: listening.sessions.reduce((sum, session) => sum + session.inflight, 0),
    up: trouble() === '' ? 1 : 0,
  }))
  signal.on('device.changed', ({ productID, deviceName }) => {
    from.changed(productID, deviceName).catch((error) => log.warn({ err: error }, 'it is not known who may stay'))
  })
  let loops: Array<{ stop(): Promise<void> }> = []
  return {
    wayDown,
    there,
    trouble,
    async start() {
      const look = () => listening.look()
      const miss = async () => trouble() === '' && there.missSilent()
      loops = [
        background.every({ name: 'upstream.parts', everyMs: lookMs, run: look }),
        background.every({ name: 'upstream.silence', everyMs: silenceMs, firstMs: silenceMs, run: miss }),
      ]
    },
    async stop() {
      for (const loop of loops) await loop.stop()
      await listening.stop()
      await claims?.stop()
      await wayDown.stop()
    },
  }
}

/** With a broker that others run, messages go to the one of the two that their device is connected to. */
export function joinUpstream(
  outside: Outside,
  known: Known,
): { both: Pick<Broker, 'publish' | 'sessionOf'>; upstream: UpstreamStack | undefined } {
  const { upstream: settings } = outside.config
  const { broker: inside, gatewayOf } = known
  if (!settings) return { both: inside, upstream: undefined }
  const upstream = makeUpstream(settings, outside, known)
  return { both: makeTwoBrokers({ inside, upstream: upstream.wayDown, there: upstream.there, gatewayOf }), upstream }
}
