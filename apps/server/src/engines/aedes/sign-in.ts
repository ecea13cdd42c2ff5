/** From CONNECT to CONNACK, and the one live session that a device may have. */

import { setTimeout as sleep } from 'node:timers/promises'
import { kept, phrase } from '@ithings/contract/text.ts'
import type { Client } from 'aedes'
import type { LoginAnswer, Session } from '#ports/broker.ts'
import { within } from '#ports/within.ts'
import { inside } from './aedes-inside.ts'
import { type Connection, type EndedSession, Rate } from './connection.ts'
import type { BrokerCore } from './core.ts'
import { StoredSession } from './stored-session.ts'

/**
 * CONNACK: 0 welcome, 4 and 5 of decisions.md 2 "Refusals on MQTT"; undefined: no answer, it has left meanwhile or is
 * sent away for a moment. Code 3 (server unavailable) would be truer, but common clients take any refusal as final and
 * never come back.
 */
type ReturnCode = 0 | 4 | 5 | undefined

export class SignInRefused extends Error {
  readonly returnCode: number
  constructor(returnCode: number) {
    super('sign-in refused')
    this.returnCode = returnCode
  }
}

const undecidedEveryMs = 1_000
/** The reason that people read, also when the new connection is on another server. */
export const takenOver = kept('被同一设备的新连接取代')
export const unprovenText = kept('暂时无法核对身份')
export const unreadText = kept('暂时无法读取会话')
const tooManyText = kept('连接过于频繁')
const lateText = kept('注册超时')

const keyOf = ({ device, registering }: LoginAnswer & { ok: true }): string =>
  // Whoever registers has proved nothing yet and must not end the session of the device.
  registering ? `register&${device.productID}&${device.deviceName}` : `${device.productID}/${device.deviceName}`

function takeReplaced(connection: Connection): EndedSession[] {
  const { replaced = [] } = connection
  connection.replaced = undefined
  return replaced
}

function livingSuccessor(connection: Connection): Connection | undefined {
  let next = connection.successor
  while (next?.ended) next = next.successor
  return next
}

export class SignIn {
  readonly #core: BrokerCore
  readonly #rate: Rate
  #undecided = 0
  #undecidedToldAt = Number.NEGATIVE_INFINITY

  constructor(core: BrokerCore) {
    this.#core = core
    this.#rate = new Rate(core.limits.connectRate, core.limits.connectBurst)
  }

  async signIn(connection: Connection, client: Client, userName: string, password: string): Promise<ReturnCode> {
    const { hooks, clock, metrics, tell } = this.#core
    if (!(await this.#queueUp(connection, client.id))) connection.drop(tooManyText)
    if (connection.left) return undefined
    const answer = await this.#ask(connection, client, userName, password)
    if (!answer) connection.drop(unprovenText)
    // Who has left must not end the session of the device, which may be its next try.
    if (!answer || connection.left) return undefined
    if (!answer.ok) {
      metrics.refused('login')
      tell(() => hooks.refused({ clientID: client.id, ip: connection.ip }, answer))
      return answer.returnCode
    }
    const { ok: _, ...who } = answer
    connection.session = { ...who, clientID: client.id, ip: connection.ip, connectedAt: clock.now() }
    await this.#claim(connection, keyOf(answer))
    if (connection.left) return undefined
    this.#nameClient(connection, client, answer)
    if (!answer.registering && !(await this.#openStored(connection, client))) connection.drop(unreadText)
    return connection.left ? undefined : 0
  }

  /** From here on what is queued for the device by any server is told to this connection, too. */
  async #openStored(connection: Connection, client: Client): Promise<boolean> {
    const { store, storing, limits } = this.#core
    const { device, epoch } = connection.session as Session
    const { deviceID } = device
    try {
      if (inside(client).clean) {
        await within(limits.storeMs, store.open({ deviceID, epoch, clean: true }))
      } else {
        connection.stored = new StoredSession(store, deviceID)
        storing.set(deviceID, connection)
        await within(limits.storeMs, connection.stored.open(epoch))
      }
      return true
    } catch (error) {
      this.#tellUndecided(error)
      return false
    }
  }

  /** The platform hears that the old session was taken over only when the new one stands. */
  becameReady(connection: Connection): void {
    const { hooks, tell } = this.#core
    const { session } = connection
    if (!session) return
    connection.ready = true
    for (const old of takeReplaced(connection)) tell(() => hooks.disconnected(old.session, old.reason, true))
    tell(() => hooks.connected(session))
  }

  ended(connection: Connection): void {
    const { hooks, claims, storing, tell } = this.#core
    connection.stored?.left()
    if (connection.stored && storing.get(connection.stored.deviceID) === connection)
      storing.delete(connection.stored.deviceID)
    if (connection.key !== '' && claims.get(connection.key) === connection) claims.delete(connection.key)
    const over = takeReplaced(connection)
    if (connection.ready && connection.session) {
      over.push({ session: connection.session, reason: connection.endReason() })
    }
    const successor = livingSuccessor(connection)
    if (successor && !successor.ready) successor.replaced = [...(successor.replaced ?? []), ...over]
    else for (const { session, reason } of over) tell(() => hooks.disconnected(session, reason, false))
    const before = connection.predecessor
    if (before && !before.ended) void before.untilGone().then(() => connection.tellGone())
    else connection.tellGone()
  }

  /** Waits in line while too many connect at once. */
  async #queueUp(connection: Connection, clientID: string): Promise<boolean> {
    const { limits, limited } = this.#core
    const delay = this.#rate.reserve(performance.now(), limits.connectWaitMs)
    if (delay === 0) return true
    // Who only waits is in soon: not worth a line of its own. It has proved nothing yet, so it has no session.
    const caller = { ip: connection.ip, clientID: delay === undefined ? clientID : '' }
    const detail = phrase('每台服务器每秒 {count} 个，请稍后再连', { count: limits.connectRate })
    limited('connectRate', connection, detail, caller)
    if (delay === undefined) return false
    await sleep(delay)
    return true
  }

  async #ask(connection: Connection, client: Client, userName: string, password: string) {
    const { hooks, limits } = this.#core
    try {
      return await within(limits.storeMs, hooks.login({ clientID: client.id, userName, password, ip: connection.ip }))
    } catch (error) {
      this.#tellUndecided(error)
      return undefined
    }
  }

  /** A whole fleet may knock while the database is away. */
  #tellUndecided(error: unknown): void {
    this.#undecided++
    const now = performance.now()
    if (now - this.#undecidedToldAt < undecidedEveryMs) return
    this.#undecidedToldAt = now
    this.#core.log.warn({ err: error, times: this.#undecided }, 'a sign-in could not be decided')
    this.#undecided = 0
  }

  /** An earlier connection of the device ends first; whoever waits for that one is waited for, too. */
  async #claim(connection: Connection, key: string): Promise<void> {
    const { claims } = this.#core
    const before = claims.get(key)
    claims.set(key, connection)
    connection.key = key
    if (!before) return
    before.successor = connection
    connection.predecessor = before
    before.drop(takenOver)
    await before.untilGone()
    connection.predecessor = undefined
  }

  #nameClient(connection: Connection, client: Client, { device, registering }: LoginAnswer & { ok: true }): void {
    // One stored session for both forms of the client id.
    connection.clientKey = registering ? connection.key : `${connection.key}#${device.deviceID}`
    const inner = inside(client)
    inner.id = connection.clientKey
    if (!registering) return
    inner.clean = true
    connection.lifeTimer = setTimeout(() => connection.drop(lateText), this.#core.limits.registerMs)
  }
}
