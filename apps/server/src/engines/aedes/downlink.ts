/** Subscriptions of devices, and messages to them: straight to the session, without a search through all filters. */
import { ownerOf } from '@ithings/contract/device/topics.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import type { Client } from 'aedes'
import type { Session } from '#ports/broker.ts'
import type { WaitingMessage } from '#ports/session-store.ts'
import { inside, type QuietAedes } from './aedes-inside.ts'
import type { Connection } from './connection.ts'
import type { BrokerCore } from './core.ts'
import type { Asked } from './persistence.ts'
import { unreadText } from './sign-in.ts'
import type { StoredSession } from './stored-session.ts'
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
  /** `product/device` -> connections of others that listen to its topics: gateways, and who is registering. */
  readonly #watchers = new Map<string, Set<Connection>>()

  constructor(core: BrokerCore, aedes: QuietAedes) {
    this.#core = core
    this.#aedes = aedes
    core.store.onQueued((deviceID) => this.#queued(core.storing.get(deviceID)))
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

  async publish(topic: string, text: string | Uint8Array, asker?: Session): Promise<void> {
    const { claims, hooks, metrics } = this.#core
    const payload =
      typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.length)
    const owner = ownerOf(topic)
    const own = claims.get(owner)
    const others = this.#watchers.get(owner)
    const work: Array<Promise<void>> = []
    let here = own?.ready || (asker && this.#isHere(asker))
    const perhaps = (allowed: boolean | Promise<boolean>, run: () => Promise<void>) => {
      if (allowed === true) work.push(run())
      else if (allowed !== false) work.push(whenAllowed(allowed, run))
    }
    for (const connection of others ? [own, ...others] : [own]) {
      if (!connection?.client || !connection.ready || !connection.session) continue
      const qos = grantedQos(connection.client, topic)
      if (qos < 0) continue
      const allowed = connection === own || hooks.maySubscribe(connection.session, topic)
      perhaps(allowed, () => {
        here = true
        return this.#send(connection, topic, payload, qos > 0 ? 1 : 0, asker)
      })
    }
    metrics.message('down')
    if (work.length > 0) await Promise.all(work)
    // Whoever speaks for the device now has it; asking who else might like it would cost a query for every answer.
    if (!here) await this.#queue(owner, topic, payload)
  }

  #isHere({ device }: Session): boolean {
    return this.#core.claims.get(`${device.productID}/${device.deviceName}`)?.ready === true
  }

  /** For whoever listens and is away, or has come meanwhile: then it is told at once. */
  async #queue(owner: string, topic: string, payload: Buffer): Promise<void> {
    const { store } = this.#core
    const listeners = await store.listenersOf(owner)
    const keys = new Map<number, string>()
    for (const { deviceID, productID, deviceName, filter } of listeners) {
      if (filterMatches(filter, topic)) keys.set(deviceID, `${productID}/${deviceName}#${deviceID}`)
    }
    const work = [...keys].map(async ([deviceID, clientKey]) => {
      if (await this.mayHear(clientKey, topic)) await store.queue(deviceID, topic, payload)
    })
    await Promise.all(work)
  }

  /** It has all that waited when it came. */
  caughtUp(connection: Connection): void {
    const { stored } = connection
    if (!stored) return
    stored.current = true
    if (stored.behind) this.#queued(connection)
  }

  /** Something waits for it: from its queue on, one after the other. */
  #queued(connection: Connection | undefined): void {
    const stored = connection?.stored
    if (!connection || !stored) return
    stored.behind = true
    // Before CONNACK, or at work on it already.
    if (!stored.current) return
    stored.current = false
    this.#catchUp(connection, stored).catch((error) => {
      this.#core.log.warn({ err: error }, 'what waits for a device could not be read')
      // It comes back and gets it then.
      connection.drop(unreadText)
    })
  }

  async #catchUp(connection: Connection, stored: StoredSession): Promise<void> {
    while (stored.behind && !connection.left) {
      stored.behind = false
      const { messages, more } = await stored.takeUnsent()
      if (more) stored.behind = true
      for (const message of messages) {
        if (await this.mayHear(connection.clientKey, message.topic)) await this.#deliver(connection, stored, message)
        else stored.discard(message.id)
      }
    }
    stored.current = true
  }

  #deliver({ client }: Connection, stored: StoredSession, message: WaitingMessage): Promise<void> {
    const { id, topic, payload, dup } = message
    this.#aedes.counter++
    const brokerCounter = this.#aedes.counter
    stored.number(brokerCounter, id)
    const packet = { cmd: 'publish', brokerCounter, topic, payload, qos: 1, retain: false, dup } as const
    return new Promise((resolve, reject) => {
      if (client) client.publish(packet, (error) => (error ? reject(error) : resolve()))
      else resolve()
    })
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
      if (!connection.ready) this.#forgetFilter(connection, topic)
    }
  }

  #watch(connection: Connection, owner: string): void {
    if (owner === connection.key) return
    connection.watched ??= new Set()
    connection.watched.add(owner)
    this.#watchers.set(owner, (this.#watchers.get(owner) ?? new Set()).add(connection))
  }

  /** A stored session had it, but may not have it any more: nothing is to wait for it. */
  #forgetFilter({ stored }: Connection, topic: string): void {
    stored?.unsubscribe([topic]).catch((error) => this.#core.log.warn({ err: error }, 'a session could not be stored'))
  }

  async #send(connection: Connection, topic: string, payload: Buffer, qos: 0 | 1, asker?: Session): Promise<void> {
    const { client, stream, stored, session } = connection
    if (!client) return
    if (stream.writableLength > this.#core.limits.sendBufferBytes) {
      this.#core.metrics.refused('slowReader')
      throw new Error('the device does not read what was sent to it')
    }
    const plain = { cmd: 'publish', topic, payload, qos, retain: false, dup: false } as const
    // Only a stored session has something to wait for.
    if (qos === 0 || !stored) return client.publish(plain, () => {})
    if (!stored.current) return stored.queue(topic, payload)
    if (asker === session && !stored.answers.full) {
      const id = stored.answers.add(topic, payload)
      if (connection.left) return
      return this.#deliver(connection, stored, { id, topic, payload, dup: false })
    }
    const id = await stored.keep(topic, payload)
    if (id === undefined) return client.publish(plain, () => {})
    // Should it have left meanwhile, it gets it as a repetition when it is back.
    if (id === 'elsewhere' || connection.left) return
    await this.#deliver(connection, stored, { id, topic, payload, dup: false })
  }
}
