/** Unknown paths and wrong methods; console routes fall back to its page, and only those. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import type { FastifyInstance } from 'fastify'
import { failureBody } from './error-reply.ts'
import { type ConsolePage, consoleBase } from './static-console.ts'

export function installNotFound(app: FastifyInstance, endpointPaths: ReadonlySet<string>, page: ConsolePage): void {
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const looksLikeFile = /\.[a-z0-9]+$/i.test(path)
    if (reads && path.startsWith(consoleBase) && !looksLikeFile) return page.send(request, reply)
    if (endpointPaths.has(path)) {
      reply.header('Allow', 'POST')
      const error = refusal(errors.method, '{method} {path}，请使用 POST', { method: request.method, path })
      request.failure = error
      return reply.status(405).send(failureBody(error, request))
    }
    const error = refusal(errors.notFound, '路径 {path} 不存在', { path })
    request.failure = error
    return reply.status(404).send(failureBody(error, request))
  })
}
