/**
 * Which devices of a broker that others run this server hears. They are cut into parts by their names; each part is a
 * session at the broker, and one server at a time has it: what it did not acknowledge is for whoever has it next.
 */
import { topicHeads } from '@ithings/contract/device/topics.ts'
import { ServerState } from '@ithings/contract/features/cluster.ts'
import type { Common } from '#common-deps.ts'
import type { Db } from '#db/schema.ts'
import { emqxEventFilters } from '#engines/mqtt-upstream/emqx-events.ts'
import { UpstreamSession } from '#engines/mqtt-upstream/session.ts'
import { findUpstream, livingServers, type ServerRow } from '#features/devices/door.ts'
import type { Claims } from '#ports/claims.ts'
import { partOf, type UpstreamMessage } from '#ports/upstream.ts'
import type { UpstreamDevices } from '#uplink/upstream-devices.ts'
import { upstreamSettingsOf } from './agreed-settings.ts'
import type { UpstreamSettings } from './upstream-config.ts'

/** Sooner than a server counts as dead: only who hears what hangs on it, and a claim is sure in either case. */
const seenMs = 8_000

export interface UpstreamPartsDeps extends Common<'db' | 'log'> {
  settings: UpstreamSettings
  node: number
  there: UpstreamDevices
  message(message: UpstreamMessage, part: number): Promise<void>
  /** undefined: there are no other servers. */
  claims: Claims | undefined
  isServing(): boolean
}

/** Servers that take a part of the work: with the same settings; one of an older version does not tell them. */
async function countServing(db: Db, own: Record<string, string>): Promise<number> {
  const living = await livingServers(db, seenMs)
  const agrees = ({ settings }: ServerRow['facts']) =>
    settings === undefined || Object.entries(own).every(([setting, value]) => settings[setting] === value)
  const serving = living.filter(
    ({ drain, facts }) => !drain && (facts.state ?? ServerState.serving) === ServerState.serving && agrees(facts),
  )
  return Math.max(1, serving.length)
}

/**
 * No shared subscription: brokers deal its messages out in turn, which mixes the order of a device, and mosquitto 2.0 grants
 * one on topics that begin with $ and then brings nothing.
 */
const filtersOf = ({ events }: UpstreamSettings): string[] => [
  ...topicHeads.map((head) => `$${head}/up/#`),
  ...(events === 'emqx' ? emqxEventFilters : []),
]

export class UpstreamParts {
  readonly #deps: UpstreamPartsDeps
  readonly #sessions = new Map<number, UpstreamSession>()
  /** What all servers that take parts must have alike. */
  readonly #settings: Record<string, string>
  #looked = false
  #refused = false

  constructor(deps: UpstreamPartsDeps) {
    this.#deps = deps
    this.#settings = upstreamSettingsOf(deps.settings)
  }

  get sessions(): UpstreamSession[] {
    return [...this.#sessions.values()]
  }

  /** '' when all that it has listen, and it knows which these are. */
  get trouble(): string {
    if (!this.#looked) return 'not connected yet'
    if (this.#refused) return 'another server hears it with other UPSTREAM_MQTT settings, this one takes no part of it'
    return this.sessions.map((session) => session.trouble).find((text) => text !== '') ?? ''
  }

  /** Takes what is free, until all have about the same; gives away what is more than that. */
  async look(): Promise<void> {
    const { settings, db, node, claims, isServing } = this.#deps
    const { parts } = settings
    const among = claims ? await countServing(db, this.#settings) : 1
    const serves = isServing()
    // Parts of another number are other devices: heard side by side some would be heard twice, or by nobody.
    this.#refused = serves && claims !== undefined && !(await claims.agree(JSON.stringify(this.#settings)))
    const most = serves && !this.#refused ? Math.ceil(parts / among) : 0
    for (const part of [...this.#sessions.keys()].slice(most)) await this.#giveUp(part)
    if (!serves) await claims?.disagree()
    for (let i = 0; i < parts && this.#sessions.size < most; i++) {
      const part = (node + i) % parts
      if (this.#sessions.has(part)) continue
      if (!claims || (await claims.take(part))) await this.#hear(part)
    }
    this.#looked = true
  }

  /** Others may have the sessions by now. */
  lost(): void {
    const { there, log } = this.#deps
    log.warn('the claims of the upstream MQTT server are lost, they are taken again')
    for (const session of this.#sessions.values()) void session.drop()
    this.#sessions.clear()
    there.forget(() => true)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((part) => this.#giveUp(part)))
  }

  async #hear(part: number): Promise<void> {
    const { settings, db, there, message, log } = this.#deps
    const { address, clientID, parts } = settings
    // Who was there when nobody, or another server, heard them: they are not gone because of that.
    for (const { device, at, ip } of await findUpstream(db)) {
      if (partOf(`${device.productID}/${device.deviceName}`, parts) === part) there.heard(device, { at, ip })
    }
    const session = new UpstreamSession({
      address,
      clientID: `${clientID}-${part}`,
      filters: filtersOf(settings),
      take: (one) => message(one, part),
      opened: () => there.pardon(),
      log,
    })
    this.#sessions.set(part, session)
  }

  async #giveUp(part: number): Promise<void> {
    const { there, claims, settings } = this.#deps
    const session = this.#sessions.get(part)
    this.#sessions.delete(part)
    await session?.stop()
    there.forget((key) => partOf(key, settings.parts) === part)
    await claims?.letGo(part)
  }
}
