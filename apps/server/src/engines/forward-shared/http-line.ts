/** Requests to one server, over connections that are kept: each new one is looked at by the guard, none is redirected. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import { readAnswerStart } from '#ports/answer-start.ts'
import { type ForwardTools, TargetAway } from '#ports/forward-target.ts'
import { noAnswer, redirected } from '#ports/network-fault.ts'
import { awayBecause, saidBy, stopped } from './away.ts'
import { guardedHost } from './guarded.ts'

/** Nobody can keep us waiting for longer than this by a header. */
const longestRetryMs = 300_000

export interface HttpAnswer {
  status: number
  /** The beginning of what was said. */
  said: string
  retryAfterMs: number | undefined
}

export interface HttpLine {
  /** @throws TargetAway, also for what asks to be tried again later and for redirects */
  post(body: string | Buffer, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<HttpAnswer>
  close(): void
}

/** Seconds, or a date. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestRetryMs)
}

export const answerWords = ({ status, said }: HttpAnswer): Phrase =>
  said === ''
    ? phrase('对方应答 HTTP {status}', { status })
    : phrase('对方应答 HTTP {status}：{said}', { status, said })

const answerOf = async (response: IncomingMessage): Promise<HttpAnswer> => ({
  status: response.statusCode ?? 0,
  said: saidBy(await readAnswerStart(response)),
  retryAfterMs: retryAfterOf(response.headers['retry-after'], Date.now()),
})

/** Wrong credentials and a wrong path are mended by people: no message is to blame. */
const later = new Set([401, 403, 404, 407, 408, 425, 429])
const isLater = (status: number): boolean => later.has(status) || status >= 500

function judge(answer: HttpAnswer): HttpAnswer {
  const { status, retryAfterMs } = answer
  if (status >= 300 && status < 400) throw new TargetAway(redirected(status))
  if (isLater(status)) throw new TargetAway(answerWords(answer), { retryAfterMs })
  return answer
}

/** All connections of an agent: one that has no request yet, or no more, is not ended together with a request. */
function watchSockets(agent: HttpAgent): Set<Duplex> {
  const sockets = new Set<Duplex>()
  const create = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const socket = create(options, done)
    if (socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    return socket
  }
  return sockets
}

export function openHttpLine(url: URL, { guard, timeoutMs }: ForwardTools): HttpLine {
  const isTls = url.protocol === 'https:'
  const request = isTls ? httpsRequest : httpRequest
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const sockets = watchSockets(agent)
  const closing = new AbortController()

  function exchange(body: string | Buffer, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        {
          method: 'POST',
          agent,
          lookup: guardedHost(url, guard).lookup,
          signal,
          headers: {
            'User-Agent': 'iThings-Core',
            Accept: '*/*',
            ...headers,
            'Content-Length': Buffer.byteLength(body),
          },
        },
        (response) => answerOf(response).then(resolve, reject),
      )
      outgoing.on('error', (error: Error & { code?: string }) => {
        // The other side ended the kept connection just then: no fault, and it says nothing about a new one.
        const wasKept =
          outgoing.reusedSocket && !signal.aborted && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        if (wasKept) exchange(body, headers, signal).then(resolve, reject)
        else reject(error)
      })
      outgoing.end(body)
    })
  }

  return {
    async post(body, headers, signal) {
      const ends = new AbortController()
      const stop = () => {
        ends.abort()
        for (const socket of sockets) socket.destroy()
      }
      const timer = setTimeout(() => {
        isLate = true
        stop()
      }, timeoutMs)
      let isLate = false
      const stops = [signal, closing.signal]
      for (const one of stops) one.addEventListener('abort', stop)
      try {
        if (stops.some((one) => one.aborted)) throw stopped()
        return judge(await exchange(body, headers, ends.signal))
      } catch (error) {
        if (isLate) throw new TargetAway(noAnswer(timeoutMs))
        throw ends.signal.aborted ? stopped() : awayBecause(error)
      } finally {
        clearTimeout(timer)
        for (const one of stops) one.removeEventListener('abort', stop)
      }
    },
    close() {
      closing.abort()
      for (const socket of sockets) socket.destroy()
      agent.destroy()
    },
  }
}
