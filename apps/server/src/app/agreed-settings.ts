/** What all servers of one database must have alike (configuration.md), as they tell it to each other: without secrets. */
import type { Config } from './config.ts'
import type { UpstreamSettings } from './upstream-config.ts'

/** In which order servers are named does not matter. */
const listOf = (servers: string[]): string => servers.toSorted().join(', ')

/** '' for what is not set. */
export function upstreamSettingsOf(upstream: UpstreamSettings | undefined): Record<string, string> {
  const hosts = upstream?.address.servers.map(({ host, port }) => `${host}:${port}`) ?? []
  return {
    UPSTREAM_MQTT_URL: listOf(hosts),
    UPSTREAM_MQTT_CLIENT_ID: upstream?.clientID ?? '',
    UPSTREAM_MQTT_PARTS: upstream ? String(upstream.parts) : '',
    UPSTREAM_MQTT_EVENTS: upstream?.events ?? '',
  }
}

export const agreedSettings = ({ nats, upstream }: Pick<Config, 'nats' | 'upstream'>): Record<string, string> => ({
  NATS_URL: listOf(nats?.servers ?? []),
  ...upstreamSettingsOf(upstream),
})
