/** GET /healthz (process up), /readyz (dependencies up), /metrics (Prometheus). */

import { timingSafeEqual } from 'node:crypto'
import { errors, refusal } from '@ithings/contract/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Registry } from 'prom-client'
import { failureBody } from './error-reply.ts'

export interface HealthOptions {
  /** Name -> check; each must answer within its own time limit or throw. */
  ready: Record<string, () => Promise<void>>
  metrics: Registry
  /** Unset: /metrics on loopback only. */
  metricsToken: string | undefined
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

const forwardedBy = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']

/** Behind a proxy on this machine everybody would look like this machine. */
export const comesFromHere = ({ headers, socket }: FastifyRequest): boolean =>
  isLoopback(socket.remoteAddress ?? '') && forwardedBy.every((name) => headers[name] === undefined)

function tokenMatches(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header?.replace(/^Bearer /, '') ?? '')
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

export function installHealth(app: FastifyInstance, options: HealthOptions): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'up' }))

  // `?exclude=signal`, as Kubernetes has it: for a balancer that keeps a server which only hears no notices.
  app.get<{ Querystring: { exclude?: string | string[] } }>(
    '/readyz',
    { logLevel: 'silent' },
    async (request, reply) => {
      const excluded = [request.query.exclude].flat()
      // Why is for who runs the machine: the words of the database name hosts and accounts.
      const toldWhy = comesFromHere(request)
      const checks: Record<string, string> = {}
      for (const [name, check] of Object.entries(options.ready)) {
        if (excluded.includes(name)) continue
        checks[name] = await check().then(
          () => 'up',
          (error: Error) => (toldWhy ? `down: ${error.message}` : 'down'),
        )
      }
      const up = Object.values(checks).every((state) => state === 'up')
      return reply.status(up ? 200 : 503).send({ status: up ? 'up' : 'down', checks })
    },
  )

  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    const { metricsToken } = options
    const allowed = metricsToken ? tokenMatches(request.headers.authorization, metricsToken) : comesFromHere(request)
    if (!allowed) {
      const error = refusal(errors.permission, '指标只对本机开放，或设置 METRICS_TOKEN')
      return reply.status(403).send(failureBody(error, request))
    }
    return reply.type(options.metrics.contentType).send(await options.metrics.metrics())
  })
}
