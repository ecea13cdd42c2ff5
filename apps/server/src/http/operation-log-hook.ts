/** Hands every relevant finished call to the operation log; recording must never slow or fail the call. */
import { BusinessType, type Endpoint } from '@ithings/contract/endpoint.ts'
import { successCode } from '@ithings/contract/envelope.ts'
import type { FastifyInstance } from 'fastify'
import type { SignedInUser } from './request-context.ts'

export interface FinishedCall {
  endpoint: Endpoint
  user: SignedInUser
  ip: string
  body: unknown
  /** The answer as sent. */
  answer: string
  code: number
  msg: string
  durationMs: number
  requestID: string
}

/** http-api.md 2.7: signed-in calls that are not queries. */
export const isLogged = (endpoint: Endpoint): boolean =>
  endpoint.businessType !== BusinessType.query && !endpoint.unlogged

export function installOperationLogHook(app: FastifyInstance, record: (call: FinishedCall) => void): void {
  app.decorateRequest('answer', '')
  app.addHook('onSend', async (request, _reply, payload) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint && isLogged(endpoint) && typeof payload === 'string') request.answer = payload
    return payload
  })
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    const user = request.caller
    if (!endpoint || !user || !isLogged(endpoint)) return
    record({
      endpoint,
      user,
      ip: request.ip,
      body: request.body,
      answer: request.answer,
      code: request.failure?.code ?? successCode,
      msg: request.failure?.kept() ?? 'success',
      durationMs: Math.round(reply.elapsedTime),
      requestID: request.id,
    })
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    answer: string
  }
}
