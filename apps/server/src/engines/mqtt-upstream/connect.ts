/** A connection to the broker that others run. MQTT 3.1.1: all of them speak it, and nothing of MQTT 5 is needed here. */
import { type IClientOptions, type MqttClient, connect as open } from 'mqtt'
import type { UpstreamAddress } from './upstream-address.ts'

export const retryMs = 1_000
const connectMs = 10_000
const keepAliveSeconds = 15

export function connectUpstream(
  address: UpstreamAddress,
  options: Required<Pick<IClientOptions, 'clientId' | 'clean'>>,
): MqttClient {
  const { servers, tls, user, password, ca } = address
  const protocol: 'mqtt' | 'mqtts' = tls ? 'mqtts' : 'mqtt'
  return open({
    servers: servers.map((server) => ({ ...server, protocol })),
    protocol,
    protocolVersion: 4,
    keepalive: keepAliveSeconds,
    connectTimeout: connectMs,
    reconnectPeriod: retryMs,
    // Who may sign in can be set right at the broker meanwhile.
    reconnectOnConnackError: true,
    // Who subscribes does so after each connect.
    resubscribe: false,
    ...(user !== undefined && { username: user, password: password ?? '' }),
    ...(ca && { ca }),
    ...options,
  })
}
