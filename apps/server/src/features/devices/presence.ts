/**
 * Who is connected: written in batches, so that a storm of reconnects is a few statements; correct after kill -9,
 * because every session names its server and a server that is no longer seen has no sessions.
 */

import { randomUUID } from 'node:crypto'
import { kept } from '@ithings/contract/text.ts'
import type { Loop } from '#background/loop.ts'
import type { CommonDeps } from '#common-deps.ts'
import type { ServerFacts } from '#db/tables/messages.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { upstreamClientID } from '#ports/upstream.ts'
import { beatMs, deadAfterMs, makeHeartbeat } from './heartbeat.ts'
import { clearServers, findReplaced, type PresenceChange, type TakenSession, writePresence } from './presence-store.ts'

const flushMs = 50
const mostPerFlush = 1_000
/** A notice has at most 8,000 bytes. */
const mostPerNotice = 200
const usualLookMs = 30_000

export interface PresenceDeps extends CommonDeps {
  /**
   * Comings and goings for the hub log, without the connections of this server that begin, which tell of themselves.
   * Of the servers that hear of one, the one whose statement changed the device is told: a device that is connected to
   * another server by now has not left.
   */
  writeDown(changes: PresenceChange[]): void
  /** The device has a newer connection on another server: the one here, of this number or an older one, ends. */
  replaced(device: DeviceRef, epoch: number): void
  /** This server has the database for itself, so sessions of any other are left over. */
  alone: boolean
  /** Devices may be reached by way of a broker that others run: they are there, whichever server hears it. */
  upstream?: boolean
  /** Told to the other servers with each heartbeat. */
  facts(): Partial<ServerFacts>
  /** Whether people wish that this server has no devices; told with each heartbeat. */
  drainWished(wish: boolean): void
  /** Before it judges other servers. */
  steadyMs?: number | undefined
  /** How often it looks for its own connections that other servers have replaced. */
  lookMs?: number | undefined
}

export class Presence {
  /** This server, as device_session names it. */
  readonly serverID: string = randomUUID()
  readonly #deps: PresenceDeps
  /** The last word about a device counts; a device that flaps costs one row a flush. */
  #waiting = new Map<number, PresenceChange>()
  /** Who is here, in case other servers took us for dead and wrote them off. */
  readonly #here = new Map<number, PresenceChange>()
  #writing: PresenceChange[] = []
  #running: Promise<boolean> | undefined
  #timer: NodeJS.Timeout | undefined
  #beat: Loop | undefined
  #look: Loop | undefined
  readonly #heart: ReturnType<typeof makeHeartbeat>
  /** The other servers see to the devices of this one, which is about to stop. */
  #handedOver = false
  /** Devices are sent to other servers while this one lives on. */
  #sendsAway = false
  /** Who was sent away and when, until it is known whether they came back anywhere. */
  #sentAway: Array<{ change: PresenceChange; at: number }> = []

  constructor(deps: PresenceDeps) {
    this.#deps = deps
    const { db, signal, alone, facts, upstream: keepUpstream = false, steadyMs = alone ? 0 : deadAfterMs } = deps
    this.#heart = makeHeartbeat({ db, serverID: this.serverID, steadyMs, facts, keepUpstream })
    signal.on('server.drain', ({ serverID }) => serverID === this.serverID && this.beatNow())
    signal.hear('session.taken', this.serverID, ({ sessions }) => {
      for (const [deviceID, epoch] of sessions) this.#end(deviceID, epoch)
    })
    signal.onGap(() => this.#look?.wake())
  }

  /** Here is an older connection of the device than the one with this number, which is on another server. */
  #end(deviceID: number, newer: number) {
    const here = this.#here.get(deviceID)
    if (here?.epoch !== undefined && here.epoch < newer) this.#deps.replaced(here.device, here.epoch)
  }

  /** Notices may have been missed, with a gap that was noticed or without one. */
  async #findReplaced() {
    const here = [...this.#here.values()].filter(({ epoch }) => epoch !== undefined)
    if (here.length === 0) return
    const ids = await findReplaced(this.#deps.db, this.serverID, here)
    for (const deviceID of ids) this.#end(deviceID, Number.POSITIVE_INFINITY)
  }

  async #tellTaken(taken: TakenSession[]) {
    for (const [serverID, list] of Map.groupBy(taken, (one) => one.serverID)) {
      for (let at = 0; at < list.length; at += mostPerNotice) {
        const sessions = list
          .slice(at, at + mostPerNotice)
          .map(({ deviceID, epoch }): [number, number] => [deviceID, epoch])
        await this.#deps.signal.send('session.taken', { serverID, sessions })
      }
    }
  }

  /** Of connections that were just written: the numbers they have, and those that had already been replaced. */
  #number(changes: PresenceChange[], epochs: ReadonlyMap<number, number>) {
    for (const change of changes) {
      const { deviceID } = change.device
      const here = this.#here.get(deviceID)
      // Another connection of it has come meanwhile.
      if (!change.online || change.clientID === '' || here !== change) continue
      const epoch = epochs.get(deviceID)
      if (epoch === undefined) this.#deps.replaced(change.device, change.epoch ?? Number.POSITIVE_INFINITY)
      else change.epoch = epoch
    }
  }

  #tell(changes: PresenceChange[]) {
    for (const { device, online, at, reason } of changes)
      this.#deps.bus.emit('device.presence', { device, online, at, reason })
  }

  /** @returns whether it could be written */
  async #write(changes: PresenceChange[]): Promise<boolean> {
    if (changes.length === 0) return true
    try {
      const { db, clock } = this.#deps
      const { changed, unlogged, epochs, taken } = await writePresence(db, { serverID: this.serverID, clock }, changes)
      this.#number(changes, epochs)
      this.#tell(changed)
      this.#deps.writeDown(unlogged)
      await this.#tellTaken(taken)
      return true
    } catch (error) {
      this.#deps.log.warn({ err: error, devices: changes.length }, 'presence could not be written, trying again')
      // Newer words have come meanwhile for some of them.
      const newer = this.#waiting
      this.#waiting = new Map(changes.map((change) => [change.device.deviceID, change]))
      for (const change of newer.values()) this.#merge(change)
      await new Promise((resolve) => setTimeout(resolve, 500).unref())
      return false
    }
  }

  #flush(): Promise<boolean> {
    this.#running ??= (async () => {
      this.#writing = [...this.#waiting.values()].slice(0, mostPerFlush)
      for (const { device } of this.#writing) this.#waiting.delete(device.deviceID)
      return this.#write(this.#writing)
    })().finally(() => {
      this.#running = undefined
      this.#writing = []
      if (this.#waiting.size > 0) this.#schedule()
    })
    return this.#running
  }

  #schedule() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#flush()
    }, flushMs).unref()
  }

  /** The last word counts, but that it was here is not forgotten. */
  #merge(change: PresenceChange) {
    const { deviceID } = change.device
    const before = this.#waiting.get(deviceID)
    const came = before?.online ? before : before?.came
    // It left and is here again: the hub log hears of both.
    if (before?.session && change.online) this.#deps.writeDown([before])
    this.#waiting.set(deviceID, change.online || !came ? change : { ...change, came })
  }

  #note(change: PresenceChange) {
    if (change.online) this.#here.set(change.device.deviceID, change)
    else this.#here.delete(change.device.deviceID)
    this.#merge(change)
    this.#schedule()
    if (!change.again) this.#deps.bus.emit('device.session', { device: change.device })
  }

  async #sayAlive() {
    const { fresh, dead, drain } = await this.#heart.beat()
    this.#deps.drainWished(drain)
    this.#missSentAway()
    // At the start nobody is here yet; later it means that another server has cleared us away.
    if (fresh) for (const change of [...this.#here.values()]) this.#note({ ...change, logged: false, again: true })
    if (dead.length === 0) return
    // Who has come here from one of them and is not written down yet has not left.
    await this.#running
    await this.#flush()
    await this.#clear(dead)
  }

  /** Those who were sent away long enough ago and are not back: on another server nothing changes by this. */
  #missSentAway() {
    const until = performance.now() - deadAfterMs
    const due = this.#sentAway.filter(({ at }) => at <= until)
    this.#sentAway = this.#sentAway.filter(({ at }) => at > until)
    for (const { change } of due) if (!this.#here.has(change.device.deviceID)) this.#note(change)
  }

  async #clear(servers: string[]) {
    const lost = await clearServers(this.#deps.db, servers, this.#deps.upstream === true)
    const gone = { online: false, at: this.#deps.clock.now(), reason: kept('服务器已停止'), clientID: '', ip: '' }
    const changes = lost.map((device) => ({ device, ...gone }))
    this.#tell(changes)
    this.#deps.writeDown(changes)
  }

  online(
    device: DeviceRef,
    { clientID, ip, connectedAt, epoch }: { clientID: string; ip: string; connectedAt: number; epoch?: number },
  ): void {
    this.#note({ device, online: true, at: connectedAt, reason: '', clientID, ip, epoch, logged: clientID !== '' })
  }

  /** By way of a broker that others run. */
  heard(device: DeviceRef, { ip, connectedAt }: { ip: string; connectedAt: number }): void {
    const change = {
      device,
      online: true,
      at: connectedAt,
      reason: kept('上游 MQTT 服务器'),
      clientID: upstreamClientID,
      ip,
    }
    this.#note({ ...change, heard: true })
  }

  offline(device: DeviceRef, reason: string, at: number): void {
    this.#note({ device, online: false, at, reason, clientID: '', ip: '' })
  }

  /** The same of a connection here that has ended. */
  left(device: DeviceRef, reason: string, at: number, session: { ip: string; seconds: number }): void {
    if (this.#handedOver) return
    const change = { device, online: false, at, reason, clientID: '', ip: '', session }
    if (this.#sendsAway) {
      this.#here.delete(device.deviceID)
      this.#sentAway.push({ change, at: performance.now() })
      this.#deps.bus.emit('device.session', { device })
    } else this.#note(change)
  }

  /** Whether devices that leave are expected on another server: they count as gone only after the time of three beats. */
  sendAway(on: boolean): void {
    this.#sendsAway = on
  }

  /** Something worth telling has changed, or was wished for. */
  beatNow(): void {
    this.#beat?.wake()
  }

  /** Resolves when everything told so far is written. */
  async settled(): Promise<void> {
    // Only what is known now: others come and go all the time.
    const open = new Set([...this.#writing, ...this.#waiting.values()])
    while ([...this.#writing, ...this.#waiting.values()].some((change) => open.has(change))) await this.#flush()
  }

  async start(): Promise<void> {
    await this.#sayAlive()
    if (this.#deps.alone) {
      const others = await this.#heart.others('all')
      if (others.length > 0) await this.#clear(others)
    }
    const beat = { name: 'devices.heartbeat', everyMs: beatMs, firstMs: beatMs, run: () => this.#sayAlive() }
    this.#beat = this.#deps.background.every(beat)
    if (this.#deps.alone) return
    const everyMs = this.#deps.lookMs ?? usualLookMs
    const look = { name: 'devices.replaced', everyMs, firstMs: everyMs, retryMs: 1_000 }
    this.#look = this.#deps.background.every({ ...look, run: () => this.#findReplaced() })
  }

  /**
   * Before the connections are ended: if there are other servers, devices that come back to one of them have never been
   * away, and those that do not are declared gone by the others, whose scenes and alarms still run.
   * @returns whether there are others
   */
  async handOver(): Promise<boolean> {
    this.#handedOver = !this.#deps.alone && (await this.#heart.others('alive')).length > 0
    return this.#handedOver
  }

  /** Everybody who was connected here is offline, unless others see to them. */
  async stop(): Promise<void> {
    await Promise.all([this.#beat?.stop(), this.#look?.stop()])
    await this.#running
    while (this.#waiting.size > 0 && (await this.#flush())) {
      // Who came or left last; when it cannot be written, clearing says the same.
    }
    clearTimeout(this.#timer)
    if (!this.#handedOver) await this.#clear([this.serverID])
  }
}
