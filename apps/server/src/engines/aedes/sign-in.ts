/** From CONNECT to CONNACK, and the one live session that a device may have. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'aedes'
import type { LoginAnswer } from '#ports/broker.ts'
import { inside } from './aedes-inside.ts'
import type { Connection, EndedSession } from './connection.ts'
import type { BrokerCore } from './core.ts'
import { makeRate } from './rate.ts'

/**
 * CONNACK: 0 welcome, 4 and 5 of decisions.md 2 "Refusals on MQTT"; undefined: no answer, it has left meanwhile or is
 * sent away for a moment. Code 3 (server unavailable) would be truer, but common clients take any refusal as final and
 * never come back.
 */
type ReturnCode = 0 | 4 | 5 | undefined

const undecidedEveryMs = 1_000
const takenOver = '被同一设备的新连接取代'

const keyOf = ({ device, registering }: LoginAnswer & { ok: true }): string =>
  // Whoever registers has proved nothing yet and must not end the session of the device.
  registering ? `register&${device.productID}&${device.deviceName}` : `${device.productID}/${device.deviceName}`

function withLimit<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

export function makeSignIn(core: BrokerCore) {
  const { hooks, limits, clock, log, metrics, claims } = core
  const rate = makeRate(limits.connectRate, limits.connectBurst)

  let undecided = 0
  let undecidedToldAt = Number.NEGATIVE_INFINITY

  /** Waits in line while too many connect at once. */
  async function queueUp(connection: Connection, clientID: string): Promise<boolean> {
    const delay = rate.reserve(performance.now(), limits.connectWaitMs)
    if (delay === 0) return true
    // Who only waits is in soon: not worth a line of its own. It has proved nothing yet, so it has no session.
    const caller = { ip: connection.ip, clientID: delay === undefined ? clientID : '' }
    core.limited('connectRate', connection, `每台服务器每秒 ${limits.connectRate} 个，请稍后再连`, caller)
    if (delay === undefined) return false
    await sleep(delay)
    return true
  }

  /** A whole fleet may knock while the database is away. */
  function tellUndecided(error: unknown): void {
    undecided++
    const now = performance.now()
    if (now - undecidedToldAt < undecidedEveryMs) return
    undecidedToldAt = now
    log.warn({ err: error, times: undecided }, 'a sign-in could not be decided')
    undecided = 0
  }

  /** An earlier connection of the device ends first; whoever waits for that one is waited for, too. */
  async function claim(connection: Connection, key: string): Promise<void> {
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

  async function ask(connection: Connection, client: Client, userName: string, password: string) {
    try {
      return await withLimit(
        hooks.login({ clientID: client.id, userName, password, ip: connection.ip }),
        limits.storeMs,
      )
    } catch (error) {
      tellUndecided(error)
      return undefined
    }
  }

  async function signIn(
    connection: Connection,
    client: Client,
    userName: string,
    password: string,
  ): Promise<ReturnCode> {
    if (!(await queueUp(connection, client.id))) connection.drop('连接过于频繁')
    if (connection.left) return undefined
    const answer = await ask(connection, client, userName, password)
    if (!answer) connection.drop('暂时无法核对身份')
    // Who has left must not end the session of the device, which may be its next try.
    if (!answer || connection.left) return undefined
    if (!answer.ok) {
      metrics.refused('login')
      core.tell(() => hooks.refused({ clientID: client.id, ip: connection.ip }, answer))
      return answer.returnCode
    }
    const { ok: _, ...who } = answer
    const { device, registering } = who
    connection.session = { ...who, clientID: client.id, ip: connection.ip, connectedAt: clock.now() }
    await claim(connection, keyOf(answer))
    if (connection.left) return undefined
    // One stored session for both forms of the client id.
    connection.clientKey = registering ? connection.key : `${connection.key}#${device.deviceID}`
    const inner = inside(client)
    inner.id = connection.clientKey
    if (registering) {
      inner.clean = true
      connection.lifeTimer = setTimeout(() => connection.drop('注册超时'), limits.registerMs)
    }
    return 0
  }

  /** The platform hears that the old session was taken over only when the new one stands. */
  function becameReady(connection: Connection): void {
    const { session } = connection
    if (!session) return
    connection.ready = true
    for (const old of takeReplaced(connection)) core.tell(() => hooks.disconnected(old.session, old.reason, true))
    core.tell(() => hooks.connected(session))
  }

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

  function ended(connection: Connection): void {
    if (connection.key !== '' && claims.get(connection.key) === connection) claims.delete(connection.key)
    const over = takeReplaced(connection)
    if (connection.ready && connection.session) {
      over.push({ session: connection.session, reason: connection.endReason() })
    }
    const successor = livingSuccessor(connection)
    if (successor && !successor.ready) successor.replaced = [...(successor.replaced ?? []), ...over]
    else for (const { session, reason } of over) core.tell(() => hooks.disconnected(session, reason, false))
    const before = connection.predecessor
    if (before && !before.ended) void before.untilGone().then(() => connection.tellGone())
    else connection.tellGone()
  }

  return { signIn, becameReady, ended }
}
