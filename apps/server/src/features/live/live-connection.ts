/** One WebSocket: what it asked for, what it may see, and when it has to go. */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import { LiveClose, liveRequest, maxLiveTopics } from '@ithings/contract/features/live.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { RawData, WebSocket } from 'ws'
import { translatorOf } from '#http/answer-language.ts'
import { toAnswer } from '#http/error-reply.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { NoticeBoard, Watcher } from './notice-board.ts'
import type { CheckTopic } from './topic-rights.ts'

/** Room for a list whose pages are turned quickly, each with topics of its own, not for a flood. */
const requestsPerWindow = 10 * maxLiveTopics
const windowMs = 10_000

export type DropReason = 'slow' | 'silent' | 'unruly' | 'signedOut'

export interface ConnectionParts {
  ws: WebSocket
  /** A session's token, or an API key. */
  token: string
  /** From where, because a key may be limited to some addresses. */
  ip: string
  user: SignedInUser
  /** Milliseconds. */
  expiresAt: number
  board: NoticeBoard
  check: CheckTopic
  maxBufferedBytes: number
  now(): number
  dropped(reason: DropReason): void
}

export interface LiveConnection {
  readonly token: string
  readonly ip: string
  readonly user: SignedInUser
  readonly expiresAt: number
  /** The user as he is now: topics that he may not see any more are taken away. */
  recheck(user: SignedInUser): Promise<void>
  signOut(): void
  /** Ends a connection whose last ping was not answered. */
  ping(): void
  leave(): void
}

/** The topics that a connection follows, each only as long as its user may see it. */
function makeTopics({ ws, board, check, now, user: first }: ConnectionParts, watcher: Watcher) {
  /** false while its right is being looked up. */
  const topics = new Map<string, { on: boolean }>()
  let user = first

  const answer = (topic: string, rest: object = {}) => watcher.send(JSON.stringify({ topic, at: now(), ...rest }))
  const refuse = (topic: string, cause: unknown) => {
    const { error } = toAnswer(cause)
    answer(topic, { code: error.code, msg: error.say(translatorOf(user.language)) })
  }

  const leave = (topic: string) => {
    topics.delete(topic)
    board.leave(topic, watcher)
  }

  return {
    get user() {
      return user
    },
    refuse,
    leave,
    leaveAll() {
      for (const topic of [...topics.keys()]) leave(topic)
    },
    async subscribe(topic: string): Promise<void> {
      if (topics.get(topic)?.on) return answer(topic)
      if (topics.has(topic)) return
      if (topics.size >= maxLiveTopics) {
        return refuse(
          topic,
          new AppError(errors.quota, { msg: phrase('一个连接最多 {most} 个主题', { most: maxLiveTopics }) }),
        )
      }
      const wish = { on: false }
      topics.set(topic, wish)
      try {
        await check(topic, user)
      } catch (cause) {
        if (topics.get(topic) === wish) topics.delete(topic)
        return refuse(topic, cause)
      }
      // Taken back, or gone, while we looked.
      if (topics.get(topic) !== wish || ws.readyState !== ws.OPEN) return
      wish.on = true
      board.join(topic, watcher)
      answer(topic)
    },
    async recheck(latest: SignedInUser): Promise<void> {
      user = latest
      for (const [topic, wish] of [...topics]) {
        if (!wish.on) continue
        await check(topic, user).catch((cause: unknown) => {
          // A database that is away takes no right away.
          if (!(cause instanceof AppError) || topics.get(topic) !== wish) return
          leave(topic)
          refuse(topic, cause)
        })
      }
    },
  }
}

export function makeConnection(parts: ConnectionParts): LiveConnection {
  const { ws, token, ip, expiresAt } = parts
  let answered = true
  let requests = 0
  let windowStart = 0

  const drop = (reason: DropReason, code?: number) => {
    if (ws.readyState !== ws.OPEN) return
    parts.dropped(reason)
    if (code === undefined) ws.terminate()
    else ws.close(code, reason)
  }

  const topics = makeTopics(parts, {
    send(text) {
      if (ws.readyState !== ws.OPEN) return
      // decisions.md 4.3: who does not read is not waited for; it asks for everything again when it is back.
      if (ws.bufferedAmount > parts.maxBufferedBytes) return drop('slow')
      ws.send(text)
    },
  })

  function tooMany(): boolean {
    const moment = performance.now()
    if (moment - windowStart > windowMs) {
      windowStart = moment
      requests = 0
    }
    requests++
    return requests > requestsPerWindow
  }

  ws.on('message', (data: RawData, isBinary: boolean) => {
    const asked = isBinary ? undefined : liveRequest.safeParse(parseJson(String(data))).data
    if (tooMany()) drop('unruly', LiveClose.unruly)
    else if (!asked)
      topics.refuse('', refusal(errors.parameter, '请发送 {sample}', { sample: '{"op":"sub|unsub","topic":"…"}' }))
    else if (asked.op === 'unsub') topics.leave(asked.topic)
    else void topics.subscribe(asked.topic)
  })
  ws.on('pong', () => {
    answered = true
  })
  ws.on('close', topics.leaveAll)
  // The close event follows; without a listener a broken frame would end the process.
  ws.on('error', () => ws.terminate())

  return {
    token,
    ip,
    expiresAt,
    get user() {
      return topics.user
    },
    recheck: topics.recheck,
    signOut: () => drop('signedOut', LiveClose.signedOut),
    ping() {
      if (!answered) return drop('silent')
      answered = false
      ws.ping()
    },
    leave: () => ws.close(LiveClose.leaving),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
