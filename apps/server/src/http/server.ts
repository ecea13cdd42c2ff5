/** The HTTP server without any feature: parsing, headers, limits, logs, errors. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { ServerOptions } from 'node:https'
import { tmpdir } from 'node:os'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { resumableUpload } from '@ithings/contract/features/files.ts'
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { TrustProxy } from './client-address.ts'
import { installErrorReply } from './error-reply.ts'
import { setTokenHeader, tokenHeader } from './route.ts'
import { installSecurityHeaders } from './security-headers.ts'
import { installTransfers, longestBodyMs } from './transfers.ts'

export interface HttpOptions {
  log: Logger
  trustProxy: TrustProxy
  corsOrigins: string[]
  tls: Pick<ServerOptions, 'cert' | 'key'> | undefined
  /** Strict-Transport-Security for a year, with subdomains. */
  hsts?: boolean
  /** Where files of forms lie while they arrive; absent: the system's temporary folder. */
  spoolDir?: string
}

export const bodyLimitBytes = 1024 * 1024
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Of the tus protocol (features/files/resumable). */
const tusSent = ['tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset']
/** Of the Model Context Protocol (features/assistant). */
const mcpSent = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']
const tusAnswered = ['location', 'tus-resumable', 'upload-offset', 'upload-length', 'upload-expires']

export async function makeHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { trustProxy } = options
  const base = {
    loggerInstance: options.log,
    // One line for each finished call is written by request-log.ts.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    requestTimeout: longestBodyMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID().replaceAll('-', '')
    },
  } satisfies FastifyServerOptions
  // The instance types differ by transport only; everything below is the same for both.
  const app = (options.tls ? fastify({ ...base, https: options.tls }) : fastify(base)) as unknown as FastifyInstance

  app.decorateRequest('caller', undefined)
  app.decorate('spoolDir', options.spoolDir ?? tmpdir())
  installTransfers(app)
  installErrorReply(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  // A call that is answered while we close must not leave an idle connection behind, which would be waited for.
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  // An empty body counts as {} (http-api.md 1), whatever its content type says.
  app.removeContentTypeParser('text/plain')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body).trim()
    if (text === '') return done(null, {})
    try {
      done(null, JSON.parse(text))
    } catch {
      done(Object.assign(new SyntaxError('malformed JSON'), { statusCode: 400 }))
    }
  })
  await installSecurityHeaders(app, options.tls !== undefined, options.hsts ?? false)
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] })
  await app.register(rateLimit, { global: false })
  await app.register(multipart)
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: options.corsOrigins,
      credentials: true,
      methods,
      exposedHeaders: [setTokenHeader, 'x-request-id', resumableUpload.filePathHeader, ...tusAnswered],
      allowedHeaders: [
        'content-type',
        'authorization',
        tokenHeader,
        'iThings-guid',
        'iThings-project-id',
        'x-request-id',
        ...tusSent,
        ...mcpSent,
      ],
    })
  }
  return app
}
