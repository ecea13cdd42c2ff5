/** The live WebSocket (api.md "实时通知"): lets people in, keeps their rights true, and tells them what changed. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { jobTopic, LiveClose, liveNoticeGapMs, liveProtocol } from '@ithings/contract/features/live.ts'
import { decodeJwt } from 'jose'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Db } from '#db/schema.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { Gate } from '#http/route.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'
import { makeFarWatch } from './far-watch.ts'
import { hearChanges } from './hear-changes.ts'
import { makeJobWatch } from './job-watch.ts'
import { type DropReason, type LiveConnection, makeConnection } from './live-connection.ts'
import { installLiveMetrics } from './live-metrics.ts'
import { makeNoticeBoard } from './notice-board.ts'
import { makeTopicRights, parseLiveTopic } from './topic-rights.ts'

export interface LiveKit {
  db: Db
  clock: Clock
  signal: Signal
  bus: EventBus
  gate: Gate
  log: Logger
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

export type LiveCounts = Record<'sockets' | 'topics' | 'notices' | 'refused' | DropReason, number>

export interface Live {
  /** For the upgrade of an HTTP request to the live path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  counts(): LiveCounts
  stop(): Promise<void>
}

/** `ithings-live, <token>`: the token is the entry that is not the protocol's name. */
const tokenOf = (request: IncomingMessage): string | undefined =>
  String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => entry !== liveProtocol && entry !== '')

export function makeLive(kit: LiveKit): Live {
  const { db, clock, signal, bus, gate, log } = kit
  const limits = { ...usualLimits, ...kit.limits }
  const connections = new Set<LiveConnection>()
  const perUser = new Map<number, number>()
  const drops: Record<DropReason, number> = { slow: 0, silent: 0, unruly: 0, signedOut: 0 }
  let opening = 0
  let refused = 0

  const jobs = makeJobWatch({
    db,
    log,
    gapMs: limits.noticeGapMs,
    changed: (jobID) => board.tell(jobTopic(jobID), 'info'),
  })
  const ifJob = (topic: string, then: (jobID: string) => void) => {
    const parsed = parseLiveTopic(topic)
    if (parsed?.kind === 'job') then(parsed.jobID)
  }
  const far = makeFarWatch({ signal, log, gapMs: limits.noticeGapMs, board: () => board })
  const ifDevice = (topic: string, then: (topic: string) => void) => {
    if (parseLiveTopic(topic)?.kind === 'device') then(topic)
  }
  const board = makeNoticeBoard({
    gapMs: limits.noticeGapMs,
    now: () => clock.now(),
    opened: (topic) => {
      ifJob(topic, jobs.open)
      ifDevice(topic, far.opened)
    },
    closed: (topic) => {
      ifJob(topic, jobs.close)
      ifDevice(topic, far.closed)
    },
  })
  const check = makeTopicRights(gate, jobs)
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxRequestBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has(liveProtocol) ? liveProtocol : false),
  })

  const count = (userID: number, change: number) => {
    const next = (perUser.get(userID) ?? 0) + change
    next > 0 ? perUser.set(userID, next) : perUser.delete(userID)
  }

  function admit(ws: WebSocket, token: string, user: SignedInUser): void {
    const expiresAt = (decodeJwt(token).exp ?? 0) * 1000
    const connection = makeConnection({
      ws,
      token,
      user,
      expiresAt,
      board,
      check,
      maxBufferedBytes: limits.maxBufferedBytes,
      now: () => clock.now(),
      dropped: (reason) => void drops[reason]++,
    })
    connections.add(connection)
    count(user.userID, 1)
    ws.once('close', () => {
      connections.delete(connection)
      count(user.userID, -1)
    })
  }

  /** Browsers are told nothing about a refused upgrade, so the socket opens and closes with the reason. */
  const turnAway = (ws: WebSocket, code: number, reason: string) => {
    refused++
    ws.on('error', () => ws.terminate())
    ws.close(code, reason)
  }

  /** Who must enrol a second factor first follows nothing. */
  const identify = async (token: string | undefined) => {
    const caller = await gate.identify(token)
    if (caller.factor === 'missing') throw new AppError(errors.secondFactorMissing)
    return caller
  }

  async function letIn(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const token = tokenOf(request)
    const full = connections.size + opening > limits.sockets
    // Asked before the upgrade: what the client sends waits in the socket until somebody listens.
    const caller = full ? undefined : await identify(token).catch((cause: unknown) => cause)
    server.handleUpgrade(request, socket, head, (ws) => {
      if (full || stopped) return turnAway(ws, LiveClose.full, 'full')
      if (caller instanceof AppError) return turnAway(ws, LiveClose.signedOut, String(caller.code))
      if (caller instanceof Error) return turnAway(ws, LiveClose.full, 'later')
      const { user } = caller as { user: SignedInUser }
      if ((perUser.get(user.userID) ?? 0) >= limits.socketsPerUser) return turnAway(ws, LiveClose.full, 'user')
      admit(ws, token ?? '', user)
    })
  }

  async function recheck(connection: LiveConnection): Promise<void> {
    const caller = await identify(connection.token).catch((cause: unknown) => cause)
    if (caller instanceof AppError) connection.signOut()
    else if (!(caller instanceof Error)) await connection.recheck((caller as { user: SignedInUser }).user)
  }

  let rechecking = false
  let again = false
  /** One round at a time; what changes meanwhile makes another one. */
  async function recheckAll(): Promise<void> {
    again = true
    if (rechecking) return
    rechecking = true
    while (again && !stopped) {
      again = false
      for (const connection of [...connections]) await recheck(connection)
    }
    rechecking = false
  }

  let stopped = false
  const rightsMoved = () => void recheckAll()
  signal.on('access.user', rightsMoved)
  signal.on('access.role', rightsMoved)
  signal.on('access.session', rightsMoved)
  signal.onGap(rightsMoved)
  const endHearing = hearChanges({ bus, signal, board, log, gapMs: limits.noticeGapMs, far })

  let sweeps = 0
  const sweep = () => {
    const pinging = ++sweeps % sweepsPerPing === 0
    for (const connection of [...connections]) {
      if (connection.expiresAt <= clock.now()) connection.signOut()
      else if (pinging) connection.ping()
    }
    // Nobody tells us of signed-out sessions now: ask.
    if (!signal.connected) rightsMoved()
  }
  const timer = setInterval(sweep, limits.sweepMs)
  timer.unref()

  const counts = () => ({ sockets: connections.size, topics: board.topics, notices: board.told, refused, ...drops })
  installLiveMetrics(kit.metrics, counts)

  return {
    handleUpgrade(request, socket, head) {
      const gone = () => socket.destroy()
      socket.on('error', gone)
      opening++
      void letIn(request, socket, head)
        .catch((error: unknown) => {
          log.error({ err: error }, 'a live connection could not be opened')
          socket.destroy()
        })
        .finally(() => {
          opening--
          socket.off('error', gone)
        })
    },
    counts,
    async stop() {
      stopped = true
      clearInterval(timer)
      endHearing()
      far.stop()
      jobs.stop()
      board.stop()
      for (const connection of connections) connection.leave()
      await endAll(server)
    },
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
