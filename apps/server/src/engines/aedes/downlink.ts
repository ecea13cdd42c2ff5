/** Subscriptions of devices, and messages to them: straight to the session, without a search through all filters. */
import { ownerOf } from '@ithings/contract/device/topics.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import type { Client } from 'aedes'
import type { Session } from '#ports/broker.ts'
import { inside, type QuietAedes } from './aedes-inside.ts'
import type { Connection } from './connection.ts'
import type { BrokerCore } from './core.ts'
import type { Asked } from './persistence.ts'
import type { SessionStore } from './session-store.ts'
import { deviceOfKey, filterMatches } from './topic-filter.ts'

/** The best quality of service that a filter of this client grants; -1: none matches. */
function grantedQos(client: Client, topic: string): number {
  const { subscriptions } = inside(client)
  let best = subscriptions[topic]?.qos ?? -1
  for (const filter in subscriptions) {
    if (best > 0) break
    const qos = subscriptions[filter]?.qos ?? 0
    if (qos > best && filterMatches(filter, topic)) best = qos
  }
  return best
}

/** Whose stored session it is; only a gateway has filters of others. */
function gatewayOfKey(clientKey: string) {
  const [productID = '', deviceName = ''] = deviceOfKey(clientKey).split('/')
  const deviceID = Number(clientKey.slice(clientKey.lastIndexOf('#') + 1))
  return { device: { productID, deviceName, deviceID, deviceType: DeviceType.gateway }, registering: false }
}

async function whenAllowed(allowed: Promise<boolean>, run: () => Promise<void>): Promise<void> {
  if (await allowed) await run()
}

export class Downlink {
  readonly #core: BrokerCore
  readonly #aedes: QuietAedes
  readonly #store: SessionStore
  /** `product/device` -> connections of others that listen to its topics: gateways, and who is registering. */
  readonly #watchers = new Map<string, Set<Connection>>()

  constructor(core: BrokerCore, aedes: QuietAedes, store: SessionStore) {
    this.#core = core
    this.#aedes = aedes
    this.#store = store
  }

  /** For aedes. Refused: SUBACK 128 (decisions.md 2 "Refusals on MQTT"). */
  subscribe(
    connection: Connection | undefined,
    client: Client,
    asked: Asked,
    done: (error: Error | null, granted?: Asked | null) => void,
  ): void {
    const session = connection?.session
    if (!connection || !session) {
      done(new Error('nobody has signed in'))
      return
    }
    const decide = (allowed: boolean) => {
      this.#decided(connection, session, client, asked, allowed)
      done(null, allowed ? asked : null)
    }
    const answer = this.#ask(connection, client, session, asked.topic)
    if (typeof answer === 'boolean') decide(answer)
    // Not knowing is no refusal: the device comes back and asks again.
    else answer.then(decide, (error) => done(error instanceof Error ? error : new Error(String(error))))
  }

  unsubscribed(connection: Connection | undefined, client: Client): void {
    if (connection) connection.subscriptions = Object.keys(inside(client).subscriptions).length
  }

  unwatchAll(connection: Connection): void {
    for (const owner of connection.watched ?? []) {
      const set = this.#watchers.get(owner)
      set?.delete(connection)
      if (set?.size === 0) this.#watchers.delete(owner)
    }
    connection.watched = undefined
  }

  /** decisions.md 4.4: what is sent to a child is for the gateway that it has now. */
  mayHear(clientKey: string, topic: string): boolean | Promise<boolean> {
    return ownerOf(topic) === deviceOfKey(clientKey) || this.#core.hooks.maySubscribe(gatewayOfKey(clientKey), topic)
  }

  async publish(topic: string, text: string | Uint8Array): Promise<void> {
    const { claims, hooks, metrics } = this.#core
    const payload =
      typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.length)
    const owner = ownerOf(topic)
    const own = claims.get(owner)
    const others = this.#watchers.get(owner)
    const work: Array<Promise<void>> = []
    const perhaps = (allowed: boolean | Promise<boolean>, run: () => Promise<void>) => {
      if (allowed === true) work.push(run())
      else if (allowed !== false) work.push(whenAllowed(allowed, run))
    }
    for (const connection of others ? [own, ...others] : [own]) {
      if (!connection?.client || !connection.ready || !connection.session) continue
      const qos = grantedQos(connection.client, topic)
      if (qos < 0) continue
      const allowed = connection === own || hooks.maySubscribe(connection.session, topic)
      perhaps(allowed, () => this.#send(connection, topic, payload, qos > 0 ? 1 : 0))
    }
    for (const clientID of this.#store.watchersOf(topic)) {
      if (claims.get(deviceOfKey(clientID))?.ready) continue
      perhaps(this.mayHear(clientID, topic), () => {
        this.#aedes.counter++
        return this.#store.enqueue(clientID, this.#aedes.counter, topic, payload)
      })
    }
    metrics.message('down')
    if (work.length > 0) await Promise.all(work)
  }

  #ask(connection: Connection, client: Client, session: Session, topic: string): boolean | Promise<boolean> {
    const { limits, hooks } = this.#core
    const most = connection.isGateway ? limits.gatewaySubscriptions : limits.subscriptions
    const isNew = !(topic in inside(client).subscriptions)
    if (isNew && connection.subscriptions >= most) return false
    return hooks.maySubscribe(session, topic)
  }

  #decided(connection: Connection, session: Session, client: Client, asked: Asked, allowed: boolean): void {
    const { hooks, metrics, tell } = this.#core
    const { topic } = asked
    // Before CONNACK a stored session takes up its subscriptions again.
    if (connection.ready) tell(() => hooks.subscribed(session, topic, allowed))
    if (allowed) {
      if (!(topic in inside(client).subscriptions)) connection.subscriptions++
      this.#watch(connection, ownerOf(topic))
      asked.granted = true
    } else {
      metrics.refused('subscribe')
      if (!connection.ready) this.#forgetFilter(connection.clientKey, topic)
    }
  }

  #watch(connection: Connection, owner: string): void {
    if (owner === connection.key) return
    connection.watched ??= new Set()
    connection.watched.add(owner)
    this.#watchers.set(owner, (this.#watchers.get(owner) ?? new Set()).add(connection))
  }

  /** A stored session had it, but may not have it any more: nothing is to wait for it. */
  #forgetFilter(clientKey: string, topic: string): void {
    this.#store
      .unsubscribe(clientKey, [topic])
      .catch((error) => this.#core.log.warn({ err: error }, 'a session could not be stored'))
  }

  async #send({ client, stream }: Connection, topic: string, payload: Buffer, qos: 0 | 1): Promise<void> {
    if (!client) return
    if (stream.writableLength > this.#core.limits.sendBufferBytes) {
      this.#core.metrics.refused('slowReader')
      throw new Error('the device does not read what was sent to it')
    }
    const packet = { cmd: 'publish', topic, payload, qos, retain: false, dup: false } as const
    // Only a stored session has something to wait for: its queue on disk.
    if (qos === 0 || client.clean) return client.publish(packet, () => {})
    await new Promise<void>((resolve, reject) => {
      client.publish(packet, (error) => (error ? reject(error) : resolve()))
    })
  }
}
