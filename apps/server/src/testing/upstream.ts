/** Settings of a server beside an MQTT server that somebody else runs, and what it says of that. */
import type { UpstreamSettings } from '#app/upstream-config.ts'
import { readUpstreamUrl } from '#engines/mqtt-upstream/upstream-address.ts'
import type { World } from './world.ts'

export function upstreamSettings(url: string, changes: Partial<UpstreamSettings> = {}): UpstreamSettings {
  const address = readUpstreamUrl(url)
  if (!address) throw new Error(`${url} is no address`)
  const usual = { clientID: 'ithings', parts: 1, events: 'off', silentMs: 600_000 } as const
  return { address, ...usual, ...changes }
}

/** A number of /metrics, like `ithings_upstream{what="parts"}`; 0 when it is not there. */
export async function metricOf(world: World, name: string): Promise<number> {
  const { body } = await world.app.http.inject({ url: '/metrics' })
  const line = body.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

export async function readiness(world: World): Promise<{ status: number; upstream: string }> {
  const answer = await world.app.http.inject({ url: '/readyz' })
  return { status: answer.statusCode, upstream: answer.json().checks.upstream }
}
