/** The live WebSocket: lets people in, keeps their rights true, and tells them what changed. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { jobTopic, LiveClose, liveNoticeGapMs, liveProtocol } from '@ithings/contract/features/live.ts'
import type { Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import { showCounts } from '#background/gauges.ts'
import type { Common } from '#common-deps.ts'
import type { Gate } from '#http/route.ts'
import { type FarWatch, makeFarWatch } from './far-watch.ts'
import { hearChanges } from './hear-changes.ts'
import { type JobWatch, makeJobWatch } from './job-watch.ts'
import { type DropReason, type LiveConnection, makeConnection } from './live-connection.ts'
import { makeNoticeBoard, type NoticeBoard } from './notice-board.ts'
import { type CheckTopic, makeTopicRights, parseLiveTopic } from './topic-rights.ts'

export interface LiveDeps extends Common<'db' | 'clock' | 'signal' | 'bus' | 'log'> {
  gate: Gate
  metrics: Registry
  limits?: Partial<LiveLimits>
}

export interface LiveLimits {
  sockets: number
  socketsPerUser: number
  maxBufferedBytes: number
  noticeGapMs: number
  /** How often tokens are looked at and, every fifth time, sockets pinged. */
  sweepMs: number
}

const usualLimits: LiveLimits = {
  sockets: 5_000,
  socketsPerUser: 50,
  maxBufferedBytes: 256 * 1024,
  noticeGapMs: liveNoticeGapMs,
  sweepMs: 5_000,
}
const sweepsPerPing = 5
const maxRequestBytes = 1024

type Caller = Awaited<ReturnType<Gate['identify']>>

export type LiveCounts = Record<'sockets' | 'topics' | 'notices' | 'refused' | DropReason, number>

/** `ithings-live, <token>`: the token is the entry that is not the protocol's name. */
const tokenOf = (request: IncomingMessage): string | undefined =>
  String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => entry !== liveProtocol && entry !== '')

/** Jobs are looked at, and everything else is heard of, while a screen follows their topic. */
function follow(topic: string, ofJob: (jobID: string) => void, ofOther: (topic: string) => void): void {
  const parsed = parseLiveTopic(topic)
  if (parsed?.kind === 'job') ofJob(parsed.jobID)
  else if (parsed) ofOther(topic)
}

export class Live {
  readonly #deps: LiveDeps
  readonly #limits: LiveLimits
  readonly #connections = new Set<LiveConnection>()
  readonly #perUser = new Map<number, number>()
  readonly #drops: Record<DropReason, number> = { slow: 0, silent: 0, unruly: 0, signedOut: 0 }
  readonly #jobs: JobWatch
  readonly #far: FarWatch
  readonly #board: NoticeBoard
  readonly #check: CheckTopic
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: maxRequestBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has(liveProtocol) ? liveProtocol : false),
  })
  readonly #endHearing: () => void
  readonly #sweeper: NodeJS.Timeout
  #opening = 0
  #refused = 0
  #rechecking = false
  #again = false
  #stopped = false
  #sweeps = 0

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.#limits = { ...usualLimits, ...deps.limits }
    const { db, log, signal, clock } = deps
    const { noticeGapMs: gapMs, sweepMs } = this.#limits
    this.#jobs = makeJobWatch({ db, log, gapMs, changed: (jobID) => this.#board.tell(jobTopic(jobID), 'info') })
    this.#far = makeFarWatch({ signal, log, gapMs, board: () => this.#board })
    this.#board = makeNoticeBoard({
      gapMs,
      now: () => clock.now(),
      opened: (topic) => follow(topic, this.#jobs.open, this.#far.opened),
      closed: (topic) => follow(topic, this.#jobs.close, this.#far.closed),
    })
    this.#check = makeTopicRights(deps.gate, this.#jobs)
    for (const name of ['access.user', 'access.role', 'access.session', 'access.key'] as const)
      signal.on(name, this.#rightsMoved)
    signal.onGap(this.#rightsMoved)
    this.#endHearing = hearChanges({ bus: deps.bus, signal, board: this.#board, log, gapMs, far: this.#far })
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref()
    const help = 'Open sockets and watched topics; notices sent; connections refused and dropped by reason'
    showCounts(deps.metrics, 'ithings_live', help, () => this.counts())
  }

  #count(userID: number, change: number) {
    const next = (this.#perUser.get(userID) ?? 0) + change
    next > 0 ? this.#perUser.set(userID, next) : this.#perUser.delete(userID)
  }

  #admit(ws: WebSocket, token: string, ip: string, { user, expiresAt = Number.POSITIVE_INFINITY }: Caller): void {
    const connection = makeConnection({
      ws,
      token,
      ip,
      user,
      expiresAt,
      board: this.#board,
      check: this.#check,
      maxBufferedBytes: this.#limits.maxBufferedBytes,
      now: () => this.#deps.clock.now(),
      dropped: (reason) => void this.#drops[reason]++,
    })
    this.#connections.add(connection)
    this.#count(user.userID, 1)
    ws.once('close', () => {
      this.#connections.delete(connection)
      this.#count(user.userID, -1)
    })
  }

  /** Browsers are told nothing about a refused upgrade, so the socket opens and closes with the reason. */
  #turnAway(ws: WebSocket, code: number, reason: string) {
    this.#refused++
    ws.on('error', () => ws.terminate())
    ws.close(code, reason)
  }

  /** Who must enrol a second factor first follows nothing. */
  async #identify(token: string | undefined, ip: string) {
    const caller = await this.#deps.gate.identify(token, ip)
    if (caller.factor === 'missing') throw new AppError(errors.secondFactorMissing)
    return caller
  }

  async #letIn(request: IncomingMessage, socket: Duplex, head: Buffer, ip: string): Promise<void> {
    const token = tokenOf(request)
    const full = this.#connections.size + this.#opening > this.#limits.sockets
    // Asked before the upgrade: what the client sends waits in the socket until somebody listens.
    const caller = full ? undefined : await this.#identify(token, ip).catch((cause: unknown) => cause)
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      if (full || this.#stopped) return this.#turnAway(ws, LiveClose.full, 'full')
      if (caller instanceof AppError) return this.#turnAway(ws, LiveClose.signedOut, String(caller.code))
      if (caller instanceof Error) return this.#turnAway(ws, LiveClose.full, 'later')
      const { user, rate } = caller as Caller
      if (rate && rate.left < 0) return this.#turnAway(ws, LiveClose.full, 'rate')
      if ((this.#perUser.get(user.userID) ?? 0) >= this.#limits.socketsPerUser)
        return this.#turnAway(ws, LiveClose.full, 'user')
      this.#admit(ws, token ?? '', ip, caller as Caller)
    })
  }

  async #recheck(connection: LiveConnection): Promise<void> {
    const caller = await this.#identify(connection.token, connection.ip).catch((cause: unknown) => cause)
    if (caller instanceof AppError) connection.signOut()
    else if (!(caller instanceof Error)) await connection.recheck((caller as Caller).user)
  }

  /** One round at a time; what changes meanwhile makes another one. */
  async #recheckAll(): Promise<void> {
    this.#again = true
    if (this.#rechecking) return
    this.#rechecking = true
    while (this.#again && !this.#stopped) {
      this.#again = false
      for (const connection of [...this.#connections]) await this.#recheck(connection)
    }
    this.#rechecking = false
  }

  readonly #rightsMoved = () => void this.#recheckAll()
  #sweep() {
    const pinging = ++this.#sweeps % sweepsPerPing === 0
    for (const connection of [...this.#connections]) {
      if (connection.expiresAt <= this.#deps.clock.now()) connection.signOut()
      else if (pinging) connection.ping()
    }
    // Nobody tells us of signed-out sessions now: ask.
    if (!this.#deps.signal.connected) this.#rightsMoved()
  }

  counts(): LiveCounts {
    const { topics, told: notices } = this.#board
    return { sockets: this.#connections.size, topics, notices, refused: this.#refused, ...this.#drops }
  }

  /** For the upgrade of an HTTP request to the live path. */
  readonly handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, ip = ''): void => {
    const gone = () => socket.destroy()
    socket.on('error', gone)
    this.#opening++
    void this.#letIn(request, socket, head, ip)
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error }, 'a live connection could not be opened')
        socket.destroy()
      })
      .finally(() => {
        this.#opening--
        socket.off('error', gone)
      })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#sweeper)
    this.#endHearing()
    this.#far.stop()
    this.#jobs.stop()
    this.#board.stop()
    for (const connection of this.#connections) connection.leave()
    await endAll(this.#server)
  }
}

/** A client that does not answer the close is cut off. */
async function endAll(server: WebSocketServer): Promise<void> {
  const patience = setTimeout(() => {
    for (const ws of server.clients) ws.terminate()
  }, 1_000)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  clearTimeout(patience)
}
