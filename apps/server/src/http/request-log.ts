/** One log line for each finished call and one histogram, both with the route instead of the raw address. */
import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'

export function installRequestLog(app: FastifyInstance, metrics: Registry): void {
  const duration = new Histogram({
    name: 'ithings_http_request_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (!route.startsWith('/api/')) return
    request.log.info(
      {
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.caller?.userName,
        ip: request.ip,
        code: request.failure?.code,
        reason: request.failure?.message,
      },
      'call',
    )
  })
}
