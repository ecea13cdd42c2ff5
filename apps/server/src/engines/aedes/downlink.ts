/** Subscriptions of devices, and messages to them: straight to the session, without a search through all filters. */
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import type { Client } from 'aedes'
import type { Session } from '#ports/broker.ts'
import { inside, type QuietAedes } from './aedes-inside.ts'
import type { Connection } from './connection.ts'
import type { BrokerCore } from './core.ts'
import type { Asked } from './persistence.ts'
import type { SessionStore } from './session-store.ts'
import { deviceOfKey, filterMatches, ownerOf } from './topic-filter.ts'

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

export function makeDownlink(core: BrokerCore, aedes: QuietAedes, store: SessionStore) {
  const { hooks, limits, metrics, claims, log } = core
  /** `product/device` -> connections of others that listen to its topics: gateways, and who is registering. */
  const watchers = new Map<string, Set<Connection>>()

  function watch(connection: Connection, owner: string): void {
    if (owner === connection.key) return
    connection.watched ??= new Set()
    connection.watched.add(owner)
    watchers.set(owner, (watchers.get(owner) ?? new Set()).add(connection))
  }

  function unwatchAll(connection: Connection): void {
    for (const owner of connection.watched ?? []) {
      const set = watchers.get(owner)
      set?.delete(connection)
      if (set?.size === 0) watchers.delete(owner)
    }
    connection.watched = undefined
  }

  function ask(connection: Connection, client: Client, session: Session, topic: string) {
    const most = connection.isGateway ? limits.gatewaySubscriptions : limits.subscriptions
    const isNew = !(topic in inside(client).subscriptions)
    if (isNew && connection.subscriptions >= most) return false
    return hooks.maySubscribe(session, topic)
  }

  /** A stored session had it, but may not have it any more: nothing is to wait for it. */
  function forgetFilter(clientKey: string, topic: string): void {
    store.unsubscribe(clientKey, [topic]).catch((error) => log.warn({ err: error }, 'a session could not be stored'))
  }

  /** decisions.md 4.4: what is sent to a child is for the gateway that it has now. */
  const mayHear = (clientKey: string, topic: string): boolean | Promise<boolean> =>
    ownerOf(topic) === deviceOfKey(clientKey) || hooks.maySubscribe(gatewayOfKey(clientKey), topic)

  /** For aedes. Refused: SUBACK 128 (decisions.md 2 "Refusals on MQTT"). */
  function subscribe(
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
      // Before CONNACK a stored session takes up its subscriptions again.
      if (connection.ready) core.tell(() => hooks.subscribed(session, asked.topic, allowed))
      if (allowed) {
        if (!(asked.topic in inside(client).subscriptions)) connection.subscriptions++
        watch(connection, ownerOf(asked.topic))
        asked.granted = true
      } else {
        metrics.refused('subscribe')
        if (!connection.ready) forgetFilter(connection.clientKey, asked.topic)
      }
      done(null, allowed ? asked : null)
    }
    const answer = ask(connection, client, session, asked.topic)
    if (typeof answer === 'boolean') decide(answer)
    // Not knowing is no refusal: the device comes back and asks again.
    else answer.then(decide, (error) => done(error instanceof Error ? error : new Error(String(error))))
  }

  function unsubscribed(connection: Connection | undefined, client: Client): void {
    if (connection) connection.subscriptions = Object.keys(inside(client).subscriptions).length
  }

  async function send(connection: Connection, topic: string, payload: Buffer, qos: 0 | 1): Promise<void> {
    const { client, stream } = connection
    if (!client) return
    if (stream.writableLength > limits.sendBufferBytes) {
      metrics.refused('slowReader')
      throw new Error('the device does not read what was sent to it')
    }
    const packet = { cmd: 'publish', topic, payload, qos, retain: false, dup: false } as const
    // Only a stored session has something to wait for: its queue on disk.
    if (qos === 0 || client.clean) return client.publish(packet, () => {})
    await new Promise<void>((resolve, reject) => {
      client.publish(packet, (error) => (error ? reject(error) : resolve()))
    })
  }

  async function publish(topic: string, text: string | Uint8Array): Promise<void> {
    const payload =
      typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.length)
    const owner = ownerOf(topic)
    const own = claims.get(owner)
    const others = watchers.get(owner)
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
      perhaps(allowed, () => send(connection, topic, payload, qos > 0 ? 1 : 0))
    }
    for (const clientID of store.watchersOf(topic)) {
      if (claims.get(deviceOfKey(clientID))?.ready) continue
      perhaps(mayHear(clientID, topic), () => {
        aedes.counter++
        return store.enqueue(clientID, aedes.counter, topic, payload)
      })
    }
    metrics.message('down')
    if (work.length > 0) await Promise.all(work)
  }

  return { subscribe, unsubscribed, publish, unwatchAll, mayHear }
}
