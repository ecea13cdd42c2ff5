/** What HTTP connections can become: MQTT for devices, live notices for screens. */
import type { IncomingMessage } from 'node:http'
import { livePath } from '@ithings/contract/features/live.ts'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Common } from '#common-deps.ts'
import { makeMqttUpgrade } from '#engines/aedes/web-socket.ts'
import { Live } from '#features/live/live.ts'
import { clientAddress, type TrustProxy } from '#http/client-address.ts'
import { fromOwnPages, installUpgrades } from '#http/upgrades.ts'
import type { DeviceStack } from './device-stack.ts'
import type { FeatureDeps } from './feature-deps.ts'

export interface SocketParts extends Common<'clock' | 'log'> {
  http: FastifyInstance
  featureDeps: FeatureDeps
  line: DeviceStack
  metrics: Registry
  trustProxy: TrustProxy
  /** Whose pages may listen, beside our own. */
  origins: readonly string[]
  onClose(close: () => Promise<void>): void
}

/** decisions.md 3: MQTT over WebSocket at `/mqtt` of the HTTP port. */
const mqttPath = '/mqtt'

export function openSockets({
  http,
  featureDeps,
  line,
  clock,
  log,
  metrics,
  trustProxy,
  origins,
  onClose,
}: SocketParts): void {
  const { db, signal } = featureDeps.users
  const live = new Live({ db, clock, signal, bus: featureDeps.devices.bus, gate: featureDeps.gate, log, metrics })
  onClose(() => live.stop())
  // Behind a proxy the connection's own address is the proxy's.
  const addressOf = (request: IncomingMessage) => clientAddress(request, trustProxy)
  installUpgrades(http.server, {
    [mqttPath]: makeMqttUpgrade((stream, ip) => line.broker.accept(stream, ip), addressOf),
    // Devices sign in by their secret, from pages of any origin.
    [livePath]: fromOwnPages(
      (request, socket, head) => live.handleUpgrade(request, socket, head, addressOf(request)),
      origins,
    ),
  })
}
